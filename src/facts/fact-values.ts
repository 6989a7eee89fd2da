import { monthNumber } from "../text/months.ts";
import { once } from "../text/once.ts";
import { type TextPattern, textPattern } from "../text/text-pattern.ts";

export type ValueKind =
  | "address"
  | "date"
  | "time"
  | "weekday"
  | "month"
  | "money"
  | "percent"
  | "version"
  | "number";

interface Value {
  readonly kind: ValueKind;
  /** Equal for two spellings of the same value. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The values in a folded text that are recognisable by their form, in order. */
export function findValues(text: string): Value[] {
  const found: Value[] = [];
  const isTaken = (start: number, end: number): boolean =>
    found.some((value) => start < value.end && value.start < end);
  for (const { kind, pattern, keyOf } of rules()) {
    for (const match of text.matchAll(pattern(text))) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (match[0] === "" || isTaken(start, end)) continue;
      const key = keyOf(match);
      if (key !== null) found.push({ kind, key, start, end });
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

interface Rule {
  readonly kind: ValueKind;
  readonly pattern: TextPattern;
  readonly keyOf: (match: RegExpExecArray) => string | null;
}

const weekdays = once(() =>
  numbered(1, [
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miercoles jueves viernes sabado domingo",
  ]),
);

const numberWords = once(() =>
  numbered(2, [
    "two three four five six seven eight nine ten eleven twelve",
    "zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "deux trois quatre cinq six sept huit neuf dix onze douze",
    "dos tres cuatro cinco seis siete ocho nueve diez once doce",
  ]),
);

/** The words of each row with their numbers, from `first` on. */
function numbered(first: number, rows: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap((row) => row.split(" ").map((word, index) => [word, String(first + index)] as const)),
  );
}

/** 1 for the folded name of Monday, also in the plural; undefined for any other word. */
export function weekdayNumber(folded: string): string | undefined {
  return weekdays().get(folded) ?? weekdays().get(folded.replace(/s$/, ""));
}

const rules = once((): readonly Rule[] => {
  const amount = "\\d+(?:[.,'’ ]\\d{3})*(?:[.,]\\d+)?";
  const currency = "(?:€|\\$|£|¥|euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|欧元|美元|元|英镑|日元)";
  const edge = "(?![\\p{L}\\p{N}])";
  const oneOf = (words: ReadonlyMap<string, string>): string => [...words.keys()].join("|");
  return [
    {
      kind: "address",
      pattern: textPattern(
        String.raw`https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+\w|(?<![\p{L}\p{N}])[~\w.-]*/[\w./-]+\w`,
        "g",
      ),
      keyOf: ([text]) => text,
    },
    {
      kind: "date",
      pattern: textPattern(
        String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{2,4}|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]|\d{1,2}(?:st|nd|rd|th|er|\.)? (?:de |of )?(\p{L}{3,10})(?![\p{L}])|(?<![\p{L}])(\p{L}{3,10}) \d{1,2}(?:st|nd|rd|th)?(?![\p{L}\p{N}:])`,
        "g",
      ),
      keyOf: ([text, after, before]) => {
        const name = after ?? before;
        if (name === undefined) return text;
        const month = monthNumber(name);
        return month === undefined ? null : `${month}-${/\d+/.exec(text)![0].padStart(2, "0")}`;
      },
    },
    {
      kind: "time",
      pattern: textPattern(
        `(?<![\\d.:])(\\d{1,2})(?:[:h](\\d{2})(?::(\\d{2}))?(?: ?(am|pm|uhr)${edge})?| ?(am|pm|uhr|h)${edge}|[点时](半)?)`,
        "g",
      ),
      keyOf: ([, hours, minutes = "0", seconds = "0", late, half, isHalf]) => {
        const ofDay = late ?? half;
        const hour = ofDay === "am" || ofDay === "pm" ? Number(hours) % 12 : Number(hours);
        const key = `${hour + (ofDay === "pm" ? 12 : 0)}:${isHalf ? 30 : Number(minutes)}`;
        return Number(seconds) === 0 ? key : `${key}:${Number(seconds)}`;
      },
    },
    {
      kind: "money",
      pattern: textPattern(`[€$£¥] ?${amount}|${amount} ?${currency}(?![\\p{sc=Latin}])`, "g"),
      keyOf: ([text]) => `${digitsOf(text)} ${text.replace(/[\d.,'’ ]/g, "").slice(0, 3)}`,
    },
    {
      kind: "percent",
      pattern: textPattern(`${amount} ?(?:%|percent|prozent|pour cent|por ciento)`, "g"),
      keyOf: ([text]) => digitsOf(text),
    },
    {
      kind: "version",
      pattern: textPattern(
        String.raw`(?<![\p{L}\p{N}.])v?\d+(?:\.\d+){1,3}(?:-[\w.]+)?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])v\d+(?![\p{L}\p{N}])`,
        "g",
      ),
      keyOf: ([text]) => text.replace(/^v/, ""),
    },
    {
      kind: "weekday",
      pattern: textPattern(
        `(?<![\\p{L}\\p{N}])(?:${oneOf(weekdays())})s?(?![\\p{L}])|(?:周|星期|礼拜)([一二三四五六日天])`,
        "g",
      ),
      keyOf: ([text, han]) =>
        han ? String("一二三四五六日天".indexOf(han) + 1) : (weekdayNumber(text) ?? null),
    },
    {
      kind: "month",
      pattern: textPattern(String.raw`(?<![\p{L}])\p{L}{3,10}(?![\p{L}])|(?<!\d)\d{1,2}月`, "g"),
      keyOf: ([text]) => (text === "may" || text === "mars" ? null : (monthNumber(text) ?? monthOfHan(text))),
    },
    {
      kind: "number",
      pattern: textPattern(
        `(?<![\\p{L}\\p{N}_#])[-−]?${amount}(?![\\p{sc=Latin}\\p{N}])|(?<=\\p{sc=Han})${amount}`,
        "g",
      ),
      keyOf: ([text]) => digitsOf(text),
    },
    {
      kind: "number",
      // Attached to its unit: 30s, 512MB, 4k.
      pattern: textPattern(
        String.raw`(?<![\p{L}\p{N}_#-])\d+(?:[.,]\d+)?(?=(?:ms|s|m|min|h|d|kb|mb|gb|tb|k|px|kg|km|x)(?![\p{L}\p{N}]))`,
        "g",
      ),
      keyOf: ([text]) => digitsOf(text),
    },
    {
      kind: "number",
      pattern: textPattern(`(?<![\\p{L}])(?:${oneOf(numberWords())})(?![\\p{L}])`, "g"),
      keyOf: ([text]) => numberWords().get(text) ?? null,
    },
  ];
});

function monthOfHan(text: string): string | null {
  return /^\d/.test(text) ? Number.parseInt(text, 10).toString().padStart(2, "0") : null;
}

/** 1,000, 1.000 and 1 000 are equal, as are 1.5 and 1,5. */
function digitsOf(text: string): string {
  const sign = /^[-−]/.test(text) ? "-" : "";
  const bare = /\d(?:[\d.,'’ ]*\d)?/.exec(text)?.[0] ?? text;
  return sign + bare.replace(/[.,'’ ](?=\d{3}(?!\d))/g, "").replace(",", ".");
}
