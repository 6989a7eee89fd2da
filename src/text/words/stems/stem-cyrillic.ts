import { readEndings, stripEnding } from "./stem-endings.ts";

/**
 * A light stemmer for Russian, Ukrainian and Bulgarian together. Endings that only verbs have come off
 * first, once; then whatever looks like an ending of any kind, until nothing is left. That cuts deeper than
 * a grammar would, but it cuts all forms of a word alike, even where a piece of the stem looks like an
 * ending ("систем", "систему").
 */
export function stemCyrillic(word: string): string {
  const active = word.replace(reflexive, "").replace(/(?<=..[жчшщ])ат$/, "");
  let stem = ownStems.test(active) ? active : stripEnding(active, verbEndings);
  for (let shorter = shorten(stem); shorter !== stem; shorter = shorten(stem)) stem = shorter;
  stem = stem
    .replace(/([ое])ек$/, "$1йк")
    .replace(fleetingVowel, "$1$2")
    .replace(/ь([кц])$/, "$1");
  stem = irregular.get(stem) ?? stem;
  return /[аеиоуъыэюяіїє]/.test(stem) ? stem : word;
}

function shorten(stem: string): string {
  if (ownStems.exec(stem)?.[0] === stem) return stem;
  return stripEnding(stem.replace(/(?<=..)нн$/, "н").replace(/(?<=..[бвмпф])л$/, ""), endings);
}

/** "сь" alone would take the end of подпись and Беларусь. */
const reflexive = /(?<=...)ся$|(?<=..(?:л[аои]|[тш]и|[вая]))сь$/;

/** рынок, рынка; отец, отца. */
const fleetingVowel = /([аеиоуыэюяіїє].*[бвгджзйклмнпрстфхцчшщь]|^[ао]т)[ое]([кц])$/;

const irregular: ReadonlyMap<string, string> = new Map([
  ["имен", "им"],
  ["дн", "ден"],
  ["днем", "ден"],
  ["дням", "ден"],
  ["днях", "ден"],
]);

const verbEndings = readEndings(`
  3 ать ять ить еть ыть уть ати яти ити іти нути
  3 ает ают аешь яет яют яешь еет еют ует уют уешь
  3 ає яє ує ює аєть яєть уєть юєть ають яють ують юють аємо уємо
  4 ишь ешь ите йте айте уйте ют ят
`);

const endings = readEndings(`
  2 а е и о у ы ю я ь й і ї є
  3 ам ям ах ях ом ем ой ей ою ею ий ый ов ев ым им ых их ую юю ая яя ое ее ые ие ого его ому ему
  3 ами ями ыми ими иям иях иями ием ией ию ия ии ью ья ье ьи ьев ьям ьях иев
  3 ів їв ій ої ім іх іми ові еві ію ія ії ією єю єм ість ът ят ият
  3 ал ял ающ яющ ующ ющ ущ ащ ящ вш аюч яюч уюч юч
  4 ил ыл ел ит ан ен ив ав яв ув юв ост ейш айш ето ото ята остта овете
  5 ат ата
`);

/**
 * Stems that end like an ending, where cutting deeper would meet another word: портал and порт, правило and
 * право.
 */
const ownStems = new RegExp(
  `^(?:${`памят печат кроват портал терминал материал правил сериал персонал капитал капитан идеал
  образован держав видео радио метро формат`
    .split(/\s+/)
    .join("|")})`,
);
