import { shiftDay } from "./day.ts";
import { replaceEnclosed } from "./enclosed.ts";

/**
 * Words for a day that depend on the day of writing ("yesterday", "gestern", "昨天"), with the day, month or year they
 * mean in a note of a known day.
 */
interface RelativeDate {
  /** Where the word ends in the line. */
  readonly end: number;
  /** `YYYY-MM-DD`, `YYYY-Www`, `YYYY-MM` or `YYYY`. */
  readonly means: string;
}

/** The line with each relative date followed by what it means; unchanged if there is none. */
export function anchorDates(
  line: string,
  day: string,
  { ownDay = true }: { readonly ownDay?: boolean } = {},
): string {
  let anchored = "";
  let done = 0;
  for (const { end, means } of findRelativeDates(line, day)) {
    if (means === day && !ownDay) continue;
    const isWide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(line[end - 1] ?? "");
    anchored += line.slice(done, end) + (isWide ? `（${means}）` : ` (${means})`);
    done = end;
  }
  return anchored + line.slice(done);
}

/** In order. Recurring days ("every day until yesterday's report is out"), quotations and code name no single day. */
export function findRelativeDates(line: string, day: string): RelativeDate[] {
  const plain = maskQuoted(line);
  if (recurring.test(plain)) return [];
  const found: RelativeDate[] = [];
  /** 1 for each character of a date that was found. */
  const taken = new Uint8Array(plain.length);
  for (const { pattern, means, fits = () => true } of rules) {
    if (!pattern.test(plain) || !fits(plain)) continue;
    for (const match of plain.matchAll(new RegExp(pattern, `g${pattern.flags.replace("g", "")}`))) {
      const end = match.index + match[0].length;
      if (isDated(plain, end) || taken.subarray(match.index, end).includes(1)) continue;
      taken.fill(1, match.index, end);
      found.push({ end, means: means(day, match) });
    }
  }
  return found.sort((a, b) => a.end - b.end);
}

interface Rule {
  readonly pattern: RegExp;
  means(day: string, match: RegExpMatchArray): string;
  /** The same letters may be a word of another language. */
  fits?(line: string): boolean;
}

const dayRule = (offset: number, pattern: RegExp, fits?: Rule["fits"]): Rule => ({
  pattern,
  means: (day) => shiftDay(day, offset),
  ...(fits && { fits }),
});
const weekRule = (offset: number, pattern: RegExp): Rule => ({
  pattern,
  means: (day) => isoWeek(shiftDay(day, offset * 7)),
});
const monthRule = (offset: number, pattern: RegExp): Rule => ({
  pattern,
  means: (day) => addMonths(day, offset),
});
const yearRule = (offset: number, pattern: RegExp): Rule => ({
  pattern,
  means: (day) => String(Number(day.slice(0, 4)) + offset).padStart(4, "0"),
});
const countRule = (sign: 1 | -1, pattern: RegExp): Rule => ({
  pattern,
  means: (day, [, count]) => shiftDay(day, sign * Number(count)),
});

/** Whole words in any case. */
function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${source})(?:['’]s)?(?![\\p{L}\\p{N}_-])`, "iu");
}

const french = words(
  "le|la|les|des|du|une?|nous|on|est|a|ai|été|avec|pour|dans|à|au|aux|et|que|qui|j['’]ai|c['’]est",
);
const german = words(
  "der|die|das|den|dem|ein|eine|ist|sind|wir|und|nicht|mit|für|auf|im|am|zu|wird|hat|es|gibt",
);
const dutch = words("de|het|een|van|niet|voor|met|wij|we|zijn|naar|ik");

/** Longer words first: "the day before yesterday" contains "yesterday". */
const rules: readonly Rule[] = [
  dayRule(
    -2,
    words("the day before yesterday|day before yesterday|vorgestern|anteayer|antes de ayer|avant-hier"),
  ),
  dayRule(2, words("the day after tomorrow|day after tomorrow|übermorgen|pasado mañana|après-demain")),
  dayRule(-2, /前天|一昨日/u),
  dayRule(2, /后天|後天|明後日/u),
  dayRule(-1, words("yesterday|last night|gestern|ayer|anoche")),
  dayRule(-1, words("hier"), (line) => french.test(line) && !german.test(line)),
  dayRule(-1, /昨天|昨晚|昨日/u),
  dayRule(0, words("today|tonight|heute|hoy|aujourd['’]hui")),
  dayRule(0, /今天|今晚|今日(?!は[、。！!]?$)/u),
  dayRule(1, words("tomorrow|demain")),
  // Capitalised, or after "heute" or "gestern", it means the morning.
  {
    pattern: /(?<![\p{L}\p{N}_-])(?<!(?:heute|gestern|jeden|guten|am) )morgen(?![\p{L}\p{N}_-])/u,
    means: (day) => shiftDay(day, 1),
    fits: (line) => german.test(line) || !dutch.test(line),
  },
  {
    pattern:
      /(?<![\p{L}\p{N}_-])(?<!(?:la|las|esta|una|de|media|cada|buena|toda la|pasado|ayer|hoy) )mañana(?![\p{L}\p{N}_-])/iu,
    means: (day) => shiftDay(day, 1),
  },
  dayRule(1, /明天|明日/u),
  countRule(-1, words("(\\d{1,3}) days? ago")),
  countRule(-1, words("vor (\\d{1,3}) tag(?:en)?")),
  countRule(-1, words("hace (\\d{1,3}) días?")),
  countRule(-1, words("il y a (\\d{1,3}) jours?")),
  countRule(-1, /(\d{1,3}) ?(?:天|日)前/u),
  weekRule(-1, words("last week|letzte woche|la semana pasada|la semaine dernière")),
  weekRule(1, words("next week|nächste woche|la próxima semana|la semana que viene|la semaine prochaine")),
  weekRule(0, words("this week|diese woche|esta semana|cette semaine")),
  weekRule(-1, /上周|上個?星期|上个星期|先週/u),
  weekRule(1, /下周|下個?星期|下个星期|来週/u),
  monthRule(-1, words("last month|letzten monat|el mes pasado|le mois dernier")),
  monthRule(1, words("next month|nächsten monat|el próximo mes|el mes que viene|le mois prochain")),
  monthRule(-1, /上个月|上個月|先月/u),
  monthRule(1, /下个月|下個月|来月/u),
  yearRule(-1, words("last year|letztes jahr|el año pasado|l['’]année dernière|l['’]an dernier")),
  yearRule(
    1,
    words("next year|nächstes jahr|el próximo año|el año que viene|l['’]année prochaine|l['’]an prochain"),
  ),
  yearRule(-1, /去年|昨年/u),
  yearRule(1, /明年|来年/u),
];

/** Then the word means a recurring day, or another day for each reader. */
const recurring = new RegExp(
  `${
    words(
      "every|each|always|daily|nightly|weekly|whenever|usually|jede[nrs]?|täglich|nächtlich|immer|chaque|toujours|tous les|toutes les|cada|siempre|todos los|todas las|diariamente|a diario",
    ).source
  }|每天|每周|每个|每日|總是|总是|毎日|毎週|毎月|いつも`,
  "iu",
);

/** Blanks out code, links and quotations. */
function maskQuoted(line: string): string {
  const blank = (text: string): string => "\u0000".repeat(text.length);
  const enclosed: readonly [string, string][] = [
    ["<!--", "-->"],
    ["[[", "]]"],
    ["](", ")"],
  ];
  return enclosed
    .reduce(
      (text, [open, close]) => replaceEnclosed(text, open, close, blank),
      line.replace(/(?<!`)(`+)[^`]+\1/g, blank),
    )
    .replace(/https?:\/\/\S+/g, blank)
    .replace(
      /"[^"]{1,200}"|“[^”]{1,200}”|„[^“”]{1,200}[“”]|«[^»]{1,200}»|「[^」]{1,200}」|『[^』]{1,200}』/g,
      blank,
    );
}

/** The date is already beside the word: "yesterday (4 March)", "tomorrow, 5.3.", "heute, den 3. Mai". */
function isDated(line: string, end: number): boolean {
  const rest = line.slice(end, end + 30);
  return (
    /^\s*[(（[]\s*(?:\p{L}+,? )?(?:the |den |el |le )?\d/u.test(rest) ||
    /^,?\s*(?:(?:the|den|el|le) )?\d{1,2}(?:[./]\d|\.? \p{L}{3,}|月)/u.test(rest) ||
    /^,?\s*\d{4}-\d{2}/.test(rest) ||
    // "The last week of March" is counted from March.
    /^ (?:of|im|des|vom|von|de|del|du) (?!\d)/i.test(rest) ||
    /^,\s*\p{L}+ \d{1,2}(?!\d|:)/u.test(rest)
  );
}

function addMonths(day: string, count: number): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** The ISO 8601 week of a day: it belongs to the year of its Thursday. */
function isoWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7));
  const year = date.getUTCFullYear();
  const week = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}
