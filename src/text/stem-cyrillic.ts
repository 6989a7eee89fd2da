import { readEndings, stripEnding, stripEndings } from "./stem-endings.ts";

/**
 * A light stemmer for Russian, Ukrainian and Bulgarian together. Verb endings come off once, noun and adjective
 * endings until none is left: that is cruder than a grammar of each language, but the forms of one noun meet even
 * where a case ending looks like a part of the stem ("систем", "систему").
 */
export function stemCyrillic(word: string): string {
  if (word.length < 4 && !/[аеиоуыюяі]$/.test(word)) return word;
  const active = word.replace(reflexive, "");
  const bare = nounStems.test(active) ? active : stripEnding(active, verbEndings);
  const stem = stripEndings(bare, nounEndings).replace(/нн$/, "н").replace(fleetingVowel, "$1$2");
  return /[аеиоуыэюяіїє]/.test(stem) ? stem : word;
}

/** "сь" alone would take the end of подпись and Беларусь. */
const reflexive = /(?<=...)ся$|(?<=..(?:л[аои]|[тш]и|[вая]))сь$/;

/** рынок, рынка; отец, отца. */
const fleetingVowel = /(.[бвгджзйклмнпрстфхцчшщ])[ое]([кц])$/;

const verbEndings = readEndings(`
  3 ать ять ить еть ыть уть ати яти ити іти ути ал ала ало али ял яла яло яли ав яв
  3 ает ают аем аеш аешь аете яет яют яем яешь яете еет еют ует уют уем уешь уете
  3 ує ують уємо ає ають аємо яє яють ить ять ишь ешь ите ете йте ай айте уй уйте
  3 ая яя ивая ывая ив ывши авши ивши
  4 ил ила ило или ыл ыла ыло ыли ел ела ело ели ив ила ит ят ят ут ют ем им
  4 овать овал овала овали овало ует уют увати ував увала ували
  4 ающ яющ ующ ющий ющая ющее ющие ющих ющим ющего ющему ющей ющую щий щая щее щие щих щим щего щему щей щую
  4 авш ивш вший вшая вшее вшие вших вшего вшему вшей
  4 анный анная анное анные анных анным анного анному анной анную ан ана ано аны
  4 енный енная енное енные енных енным енного енному енной енную ен ена ено ены
`);

const nounEndings = readEndings(`
  2 а е и о у ы ю я ь й і ї є
  3 ам ям ах ях ом ем ой ей ою ею ий ый ов ев ым им ых их ую юю ая яя ое ее ые ие ого его ому ему
  3 ами ями ыми ими иям иях иями ием ией ию ия ии ий ью ья ье ьи ьев ьям ьях иев
  3 ів їв ій ої ім іх іми ові еві ію ія ії ією єю єм ість
  3 ът ят ият ите ета ето ята
  4 ост ейш айш ата ото остта овете
`);

/** Nouns whose own end looks like a verb's. */
const nounStems = new RegExp(
  `^(${`памят печат кроват материал журнал канал портал сериал финал сигнал капитал персонал генерал вокзал квартал
  интервал потенциал мемориал идеал филиал начал автомобил профил правил стил текстил модел недел отдел раздел предел
  апрел цел государств трамва случа урожа обыча`
    .trim()
    .split(/\s+/)
    .join("|")})`,
);
