import { createRandom } from "../../src/eval/compare.ts";
import { shiftDay } from "../../src/text/day.ts";
import { type Phrases, phrases } from "./phrases.ts";

/** What a generated line is, to score what is proposed for it. */
export interface PlantedLine {
  readonly path: string;
  /** As it is in the note. */
  readonly text: string;
  readonly kind: "lasting" | "changing" | "relative" | "event" | "trap" | "curated";
  /** Lines with the same one tell the same fact. */
  readonly fact?: string;
  /** Of a changing fact: which of its values; later ones replace earlier ones. */
  readonly version?: number;
  /** Of a relative date: the line with its date. */
  readonly anchored?: string;
}

export interface GeneratedMonth {
  readonly seed: number;
  readonly languages: readonly string[];
  readonly today: string;
  /** Path and bytes of each note. */
  readonly notes: ReadonlyMap<string, Buffer>;
  readonly lines: readonly PlantedLine[];
  /** Notes that another one links to. */
  readonly linked: ReadonlySet<string>;
}

/**
 * A month of notes with planted repetitions, changed facts, lasting facts and relative dates among events and lines that
 * only look like more. Some notes have Windows line ends, no last line end, a byte-order mark or front matter.
 */
export function generateMonth(seed: number): GeneratedMonth {
  const random = createRandom(seed);
  const int = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)]!;
  const languages = random() < 0.6 ? [pick(phrases)] : [pick(phrases), pick(phrases)];
  const first = `${2023 + int(3)}-${String(1 + int(12)).padStart(2, "0")}-01`;
  const days = Array.from({ length: 28 }, (_, at) => shiftDay(first, at)).filter(() => random() < 0.55);
  while (days.length < 6) days.push(shiftDay(first, 20 + days.length));
  days.sort();
  const today = shiftDay(days.at(-1)!, random() < 0.25 ? 190 + int(200) : 3 + int(60));
  const lines: PlantedLine[] = [];
  const linked = new Set<string>();
  const ofDay = new Map(days.map((day) => [`memory/${day}.md`, [] as string[]]));
  const curated: string[] = [];
  const used = new Set<string>();

  const fill = (
    template: string,
    { people, things, tools }: Phrases,
    more: Record<string, string> = {},
  ): string =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const values: Record<string, () => string> = {
        person: () => pick(people),
        thing: () => pick(things),
        tool: () => pick(tools),
        n: () => String(100 + int(900)),
      };
      return more[name] ?? values[name]!();
    });
  const write = (day: string, text: string, rest: Omit<PlantedLine, "path" | "text">): void => {
    const path = `memory/${day}.md`;
    const origin = random() < 0.1 ? ` <!-- from: tool 1${int(10)}:0${int(6)} -->` : "";
    const line = `${text.startsWith("- ") ? "" : pick(["- ", "- ", "- ", "* "])}${text}${origin}`;
    ofDay.get(path)!.push(line);
    lines.push({ path, text: line, ...rest });
  };
  const laterThan = (day: string): string | undefined => {
    const later = days.filter((each) => each > day);
    return later.length === 0 ? undefined : pick(later);
  };

  for (let at = 0; at < 4 + int(5); at++) {
    const own = pick(languages);
    const template = pick(own.lasting).split("|");
    const slots = { thing: pick(own.things), tool: pick(own.tools), person: pick(own.people) };
    const forms = template.map((form) => fill(form, own, slots));
    // One decision about a thing: two would contradict each other.
    if (used.has(slots.thing)) continue;
    used.add(slots.thing);
    const fact = `lasting-${at}`;
    const day = pick(days);
    write(day, forms[0]!, { kind: "lasting", fact });
    const again = random() < 0.5 ? laterThan(day) : undefined;
    if (again !== undefined) write(again, forms.at(-1)!, { kind: "lasting", fact });
    if (random() < 0.25) {
      curated.push(`- ${forms[0]}`);
      lines.push({ path: "MEMORY.md", text: `- ${forms[0]}`, kind: "curated", fact });
    }
  }
  for (let at = 0; at < 1 + int(3); at++) {
    const own = pick(languages);
    const { before, after, values } = pick(own.changing);
    const thing = pick(own.things);
    if (used.has(`${thing}!`)) continue;
    used.add(`${thing}!`);
    const [old, next] = [pick(values), pick(values)];
    const fact = `changing-${at}`;
    const [early, late] = [pick(days), pick(days)].sort();
    if (old === next || early === late) continue;
    const inMemory = random() < 0.3;
    const text = fill(before, own, { thing, v: old });
    if (inMemory) {
      curated.push(`- ${text} (${early})`);
      lines.push({ path: "MEMORY.md", text: `- ${text} (${early})`, kind: "changing", fact, version: 0 });
    } else write(early!, text, { kind: "changing", fact, version: 0 });
    write(late!, fill(after, own, { thing, v: next }), { kind: "changing", fact, version: 1 });
  }
  for (const day of days) {
    const own = pick(languages);
    for (let at = 0; at < 1 + int(4); at++) write(day, fill(pick(own.events), own), { kind: "event" });
    if (random() < 0.4) write(day, fill(pick(own.traps), own), { kind: "trap" });
    if (random() < 0.3) {
      const { text, word, days: away } = pick(own.relative);
      const slots = { thing: pick(own.things), person: pick(own.people) };
      const means = shiftDay(day, away);
      const dated = own.language === "zh" ? `${word}（${means}）` : `${word} (${means})`;
      const said = fill(text, own, { ...slots, rel: word });
      const anchored = fill(text, own, { ...slots, rel: dated });
      // The name of the note says which day "today" was.
      write(day, said, away === 0 ? { kind: "event" } : { kind: "relative", anchored });
    }
  }
  const notes = new Map<string, Buffer>();
  for (const [path, own] of ofDay) {
    const shuffled = own.map((line) => ({ line, at: random() })).sort((a, b) => a.at - b.at);
    const body = [`# ${path.slice(7, 17)}`, "", ...shuffled.map(({ line }) => line)];
    if (random() < 0.1) body.push("", "```", "- We decided to use yesterday for nothing.", "```");
    if (random() < 0.1) body.unshift("---", "tags: [log]", "---");
    notes.set(path, encode(body, { crlf: random() < 0.15, ended: random() < 0.85, mark: random() < 0.05 }));
  }
  const target = pick(days);
  if (random() < 0.5) linked.add(`memory/${target}.md`);
  const filler =
    random() < 0.15
      ? Array.from({ length: 120 }, (_, at) => `- Shelf ${at} holds the boxes of year ${1900 + at}.`)
      : [];
  const memory = [
    ...["# Memory", "", "## Decisions", "", ...curated, ""],
    ...(linked.size > 0 ? ["## Links", "", `- See [the day](memory/${target}.md).`, ""] : []),
    ...(filler.length > 0 ? ["## Shelves", "", ...filler, ""] : []),
  ];
  notes.set("MEMORY.md", encode(memory, { crlf: false, ended: true, mark: false }));
  return { seed, languages: languages.map(({ language }) => language), today, notes, lines, linked };
}

function encode(
  lines: readonly string[],
  { crlf, ended, mark }: { crlf: boolean; ended: boolean; mark: boolean },
): Buffer {
  const end = crlf ? "\r\n" : "\n";
  return Buffer.from(`${mark ? "\ufeff" : ""}${lines.join(end)}${ended ? end : ""}`);
}
