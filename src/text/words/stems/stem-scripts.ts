import { once } from "../../once.ts";

/** The endings of a language, each with the number of characters that must remain before it. */
type Endings = () => {
  readonly longest: number;
  readonly charactersLeft: ReadonlyMap<string, number>;
};

/** Reads lines such as `3 ами ями ой`: the characters that must remain, then the endings. */
function readEndings(table: string): Endings {
  return once(() => {
    const charactersLeft = new Map<string, number>();
    for (const line of table.trim().split("\n")) {
      const [left, ...endings] = line.trim().split(/\s+/);
      for (const ending of endings) charactersLeft.set(ending, Number(left));
    }
    const lengths = [...charactersLeft.keys()].map((ending) => ending.length);
    return { longest: Math.max(...lengths), charactersLeft };
  });
}

/** The word without the longest ending that leaves enough of it, or the word itself. */
function stripEnding(word: string, endings: Endings, isStem = isAnyStem): string {
  const { longest, charactersLeft } = endings();
  for (let length = Math.min(longest, word.length - 1); length > 0; length--) {
    const left = charactersLeft.get(word.slice(-length));
    if (left === undefined || word.length - length < left) continue;
    const stem = word.slice(0, -length);
    if (isStem(stem)) return stem;
  }
  return word;
}

/** Strips until nothing changes, so that stemming is idempotent and stacked endings come off one by one. */
function stripEndings(word: string, endings: Endings, isStem = isAnyStem): string {
  let stem = word;
  for (;;) {
    const shorter = stripEnding(stem, endings, isStem);
    if (shorter === stem) return stem;
    stem = shorter;
  }
}

function isAnyStem(_stem: string): boolean {
  return true;
}

/**
 * A light stemmer for Russian, Ukrainian and Bulgarian together. Verb endings come off first, once; then anything that
 * looks like an ending, repeatedly. That cuts deeper than a grammar would, but cuts all forms of a word alike, even if
 * part of the stem looks like an ending ("систем", "систему").
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
  return stripEnding(stem.replace(/(?<=..)нн$/, "н").replace(/(?<=..[бвмпф])л$/, ""), cyrillicEndings);
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

const cyrillicEndings = readEndings(`
  2 а е и о у ы ю я ь й і ї є
  3 ам ям ах ях ом ем ой ей ою ею ий ый ов ев ым им ых их ую юю ая яя ое ее ые ие ого его ому ему
  3 ами ями ыми ими иям иях иями ием ией ию ия ии ью ья ье ьи ьев ьям ьях иев
  3 ів їв ій ої ім іх іми ові еві ію ія ії ією єю єм ість ът ят ият
  3 ал ял ающ яющ ующ ющ ущ ащ ящ вш аюч яюч уюч юч
  4 ил ыл ел ит ан ен ив ав яв ув юв ост ейш айш ето ото ята остта овете
  5 ат ата
`);

/** Stems that look like an ending, where cutting deeper would give another word: портал and порт, правило and право. */
const ownStems = new RegExp(
  `^(?:${`памят печат кроват портал терминал материал правил сериал персонал капитал капитан идеал
  образован держав видео радио метро формат`
    .split(/\s+/)
    .join("|")})`,
);

/** Removes case, number and person endings from a folded Greek word: no accents, no final sigma. */
export function stemGreek(word: string): string {
  if (neuterPlural.test(word)) return word.replace(neuterPlural, "");
  return stripEnding(stripEnding(word, greekEndings), verbStems);
}

/** πρόβλημα, προβλήματα, προβλημάτων. */
const neuterPlural = /(?<=..μ)ατ(?:α|οσ|ων)$/;

const greekEndings = readEndings(`
  3 α ασ ο οσ ου οι ουσ ων ε εσ η ησ ι ω ωσ
  3 ια ιασ ιο ιοσ ιου ιοι ιουσ ιων ιε ιεσ ιεισ
  3 εισ εωσ εων εα εασ εο εου ει ετε εται ουμε ουν ουνε ομαι ονται ομε ηκε ηκαν
  4 αμε ατε αν αει ανε αδεσ αδων ουσε ουσαν οταν ονταν ειτε ειται ουνται ωντασ οντασ
`);

/** What marks past, passive and participle in front of the ending. */
const verbStems = readEndings(`
  4 μεν ομεν ουμεν ηθ ησ ηστ ηθηκ
`);

/**
 * Removes plural, feminine and adjective endings from a Hebrew word, then the prefixed article, conjunction and
 * prepositions. The prefix letters also begin many roots, so all but the article must leave four letters; whatever
 * comes off a bare word also comes off its prefixed forms. מ and ש begin too many nouns and come off only before an
 * article. Final letters become regular ones, because the end of a stem is not the end of a word.
 */
export function stemHebrew(word: string): string {
  let stem = stripEndings(
    word.replace(/[ךםןףץ]/g, (letter) => plainLetters[letter]!),
    hebrewEndings,
  );
  for (;;) {
    const shorter = stem.replace(hebrewPrefix, "");
    if (shorter === stem) return stem;
    stem = shorter;
  }
}

const hebrewPrefix = /^(?:[ושמ]?ה(?=...)|[ובלכ](?=....))/;

const hebrewEndings = readEndings(`
  3 ימ
  4 ות ה ת י
`);

const plainLetters: Readonly<Record<string, string>> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" };

/**
 * A light stemmer for folded Arabic, Persian and Urdu: the joined conjunction, preposition and article at the start;
 * number, gender and possessor at the end. Three letters remain, as many as a root has.
 */
export function stemArabic(word: string): string {
  const bare = word.replace(article, "").replace(conjunction, "");
  return stripEndings(bare, arabicEndings);
}

const article = /^(?:[وف]?(?:[بك]?ال|لل))(?=...)/;

/** A leading و is read as "and", unless the rest is another word: وزارة and زار. */
const otherWords = "زار زراء ثيق ثايق لاي اجب اقع احد الد سايل ظيف ظايف كال اشنطن ارسو يندوز";
const conjunction = new RegExp(`^و(?=....)(?!${otherWords.replaceAll(" ", "|")})`);

const arabicEndings = readEndings(`
  3 ه ي ها هم هن نا كم ات يه تها ته تهم تنا تي اتها اته اتهم هاي هايي هايش
  4 ان ون ين تان تين يين يون تر ترين
`);

/**
 * Light stemmers for Hindi, Bengali, Tamil and Telugu: number and case endings only. Verb endings stay, because many
 * nouns in these languages look like verbs (योजना, कविता).
 */
export function stemIndic(word: string): string {
  const endings = endingsOfBlock.get(word.charCodeAt(0) >> 7);
  return endings === undefined ? word : stripEndings(word, endings, endsInWholeLetter);
}

/** In Hindi and Bengali a virama joins a consonant to the next one; a stem that ends in it was cut inside a letter. */
function endsInWholeLetter(stem: string): boolean {
  return !/[\u094d\u09cd]$/.test(stem);
}

/** By block of 128 characters; the counts are characters, vowel signs included. */
const endingsOfBlock: ReadonlyMap<number, Endings> = new Map([
  [
    0x900 >> 7,
    readEndings(`
      2 ा ि ी ु ू े ै ो ं ों ें ीं ां ओं एं ई
      2 ियां ियों ियो ाएं ाओं ाओ ाए ुओं ुएं ूओं ूएं इयां इयों
      3 ेगा ेगी ेंगे
    `),
  ],
  [
    0x980 >> 7,
    readEndings(`
      2 ের ে
      3 র রা কে তে েতে েরা েদের দের টি টা টির টার টিকে টাকে টিতে গুলি গুলো গুলির গুলোর গুলিকে গুলোকে য় য়ের
    `),
  ],
  [
    0xb80 >> 7,
    readEndings(`
      2 ம் த்தை த்தில் த்தின் த்திற்கு ங்கள் ங்களை ங்களில் ங்களின்
      3 ு ் ும் ை யை ில் யில் ின் யின் ினை ால் ாக ுடன் ிற்கு க்கு ுக்கு ிலிருந்து
      3 கள் களை களில் களின் களுக்கு களால் களுடன் க்கள்
    `),
  ],
  [
    0xc00 >> 7,
    readEndings(`
      3 ు ం ము లు ల లో కు కి ను ని తో గా లోని లోకి యొక్క లను లకు లలో లతో నకు నందు
      3 ంలో ంను ంతో మును ములు ములను ములో ాన్ని ానికి ాలు ాల ాలను ాలకు ాలలో
    `),
  ],
]);
