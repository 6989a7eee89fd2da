import { createRandom } from "../src/eval/compare.ts";

/** A question of some shape, and what its hits must be like. */
export interface ShapedQuestion {
  readonly shape: Shape;
  readonly query: string;
  /** Where the path of the first hit begins, and what its snippet shows and does not show. */
  readonly path: string;
  readonly shows: string;
  readonly hides?: string;
  /** Every hit that shows the first shows the second. */
  readonly together?: readonly [string, string];
}

export type Shape = "day" | "month" | "file" | "emoji" | "turn" | "front matter" | "long" | "title";

export interface ShapedSet {
  readonly notes: ReadonlyMap<string, string>;
  readonly questions: readonly ShapedQuestion[];
}

type Pick = <T>(from: readonly T[]) => T;

/** Notes and questions for what people ask besides plain questions; the same seed and year give the same set. */
export function generateShapes(seed: number, lastYear: number): ShapedSet {
  const random = createRandom(seed);
  const pick: Pick = (from) => from[Math.floor(random() * from.length)]!;
  const notes = new Map<string, string>();
  const questions: ShapedQuestion[] = [];
  addDays(notes, questions, pick);
  addMonths(notes, questions, { pick, lastYear });
  addFiles(notes, questions);
  addEmoji(notes, questions);
  addTalks(notes, questions, pick);
  addIncidents(notes, questions);
  addAbstracts(notes, questions, pick);
  addTitles(notes, questions);
  return { notes, questions };
}

const verbs = ["Repaired", "Cleaned", "Painted", "Sold", "Borrowed", "Measured", "Packed", "Photographed"];
const things = [
  "the ladder",
  "the kayak",
  "the piano stool",
  "the wheelbarrow",
  "the lantern",
  "the old radio",
];
const askDay: readonly ((date: Date) => string)[] = [
  (date) => `what did I do on ${date.getUTCDate()} ${monthOf(date, "en")} ${date.getUTCFullYear()}`,
  (date) => `what happened on ${monthOf(date, "en")} ${date.getUTCDate()}, ${date.getUTCFullYear()}?`,
  (date) => `Was war am ${date.getUTCDate()}. ${monthOf(date, "de")} ${date.getUTCFullYear()}?`,
  (date) => `qué pasó el ${date.getUTCDate()} de ${monthOf(date, "es")} de ${date.getUTCFullYear()}`,
  (date) => `show me ${date.toISOString().slice(0, 10)}`,
  (date) =>
    `what happened on the ${englishDays[date.getUTCDate() - 1]} of ${monthOf(date, "en")} ${date.getUTCFullYear()}?`,
  (date) => `Was war am ${germanDays[date.getUTCDate() - 1]} ${monthOf(date, "de")}?`,
];
const englishDays =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth
  twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`.split(/\s+/);
const germanDays =
  `ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften dreizehnten vierzehnten
  fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten einundzwanzigsten zweiundzwanzigsten
  dreiundzwanzigsten vierundzwanzigsten fünfundzwanzigsten sechsundzwanzigsten siebenundzwanzigsten achtundzwanzigsten
  neunundzwanzigsten dreißigsten einunddreißigsten`.split(/\s+/);

function monthOf(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(date);
}

/** Each note links to the days beside it, and another note mentions them all. */
function addDays(notes: Map<string, string>, questions: ShapedQuestion[], pick: Pick): void {
  const dayMs = 86_400_000;
  const first = Date.UTC(2025, 1, 20);
  const nameOf = (index: number): string => new Date(first + index * dayMs).toISOString().slice(0, 10);
  const mentions: string[] = [];
  for (let index = 0; index < 40; index++) {
    const said = `${pick(verbs)} ${pick(things)}.`;
    const path = `memory/${nameOf(index)}.md`;
    notes.set(path, `<< [[${nameOf(index - 1)}]] | [[${nameOf(index + 1)}]] >>\n\n# Day\n\n${said}\n`);
    mentions.push(`- ${nameOf(index)}: look at it again.`);
    const query = askDay[index % askDay.length]!(new Date(first + index * dayMs));
    questions.push({ shape: "day", query, path, shows: said });
  }
  notes.set("memory/reviews.md", `# Reviews\n\n${mentions.join("\n")}\n`);
}

const arrivals = ["oven", "carpet", "piano", "bookcase", "freezer", "mattress", "sofa", "desk"];
const askMonth: readonly { readonly language: string; readonly ask: (month: string) => string }[] = [
  { language: "en", ask: (month) => `what was delivered in ${month}?` },
  { language: "en", ask: (month) => `which thing did they deliver last ${month.toLowerCase()}` },
  { language: "de", ask: (month) => `Was wurde im ${month} delivered?` },
  { language: "es", ask: (month) => `qué fue delivered en ${month}` },
];

/** Other notes mention the month, or are of the same month a year before; and "may" and "march" are also other words. */
function addMonths(
  notes: Map<string, string>,
  questions: ShapedQuestion[],
  { pick, lastYear }: { readonly pick: Pick; readonly lastYear: number },
): void {
  for (let month = 0; month < 12; month++) {
    // The days of `addDays`.
    if (month === 1 || month === 2) continue;
    const said = `The ${pick(arrivals)} was delivered, number ${month + 70}.`;
    const dated = `${String(month + 1).padStart(2, "0")}-1${month % 10}`;
    const path = `memory/${lastYear}-${dated}-hall.md`;
    notes.set(path, `# Hall\n\n${said}\n`);
    notes.set(
      `memory/${lastYear - 1}-${dated}-hall.md`,
      `# Hall\n\nThe ${pick(arrivals)} was delivered late.\n`,
    );
    const { language, ask } = askMonth[month % askMonth.length]!;
    const name = monthOf(new Date(Date.UTC(lastYear, month, 1)), language);
    notes.set(`memory/plan-${month}.md`, `# Plan\n\n- ${name}: something is delivered.\n`);
    questions.push({ shape: "month", query: ask(name), path, shows: said });
  }
  const rule = "Guests may bring a dog on Sundays.";
  notes.set("memory/rules.md", `# Rules\n\n${rule}\n`);
  notes.set(`memory/${lastYear}-05-25.md`, "# Sunday\n\nTwo guests, one with a dog, bring cake.\n");
  const route = "The march goes from the mill to the harbour.";
  notes.set("memory/route.md", `# Route\n\n${route}\n`);
  notes.set(`memory/${lastYear - 1}-03-30.md`, "# Sunday\n\nFrom the mill we saw the harbour.\n");
  for (const query of ["may guests bring a dog", "in which case may guests bring a dog?"])
    questions.push({ shape: "month", query, path: "memory/rules.md", shows: rule });
  for (const query of ["where does the march go", "the last march: from the mill or the harbour?"])
    questions.push({ shape: "month", query, path: "memory/route.md", shows: route });
}

const subjects = [
  "backup",
  "billing",
  "garden",
  "heating",
  "invoice",
  "kitchen",
  "network",
  "printer",
  "tax",
  "van",
];
const papers = ["runbook", "checklist", "plan", "log"];

/** Other notes speak of the same words more often than the file that bears them as its name. */
function addFiles(notes: Map<string, string>, questions: ShapedQuestion[]): void {
  for (const [index, subject] of subjects.entries()) {
    const paper = papers[index % papers.length]!;
    const name = `${subject}${index % 3 === 0 ? " " : "-"}${paper}.md`;
    const path = `memory/topics/${name}`;
    const said = `Step ${index + 1} comes before the others.`;
    notes.set(path, `# Notes\n\n${said}\n\nThe cost is settled in spring.\n`);
    notes.set(
      `memory/talk-of-${index}.md`,
      `The ${subject} ${paper} was discussed: the cost of the ${subject}, the ${paper}, and the cost of a new ${paper}.\n`,
    );
    questions.push({
      shape: "file",
      query: `what does ${name} say about the cost`,
      path,
      shows: "The cost is",
    });
    questions.push({ shape: "file", query: name, path, shows: said });
    questions.push({ shape: "file", query: `open ${path}`, path, shows: said });
    questions.push({ shape: "file", query: `${subject} ${paper}`, path, shows: said });
  }
}

const emoji = ["🍅", "🚲", "🎻", "🐝", "🧵", "⛵", "🔋", "🧀", "🦉", "🪴", "☕", "🇵🇹"];

function addEmoji(notes: Map<string, string>, questions: ShapedQuestion[]): void {
  for (const [index, sign] of emoji.entries()) {
    const path = `memory/signs/${index}.md`;
    const said = `Meeting number ${index + 1} went well ${sign}`;
    notes.set(path, `# Meeting\n\n${said}\n`);
    questions.push({ shape: "emoji", query: sign, path, shows: said });
    questions.push({ shape: "emoji", query: `which meeting went well ${sign}`, path, shows: said });
  }
}

const forms: readonly ((name: string, said: string) => string)[] = [
  (name, said) => `${name}: ${said}`,
  (name, said) => `**${name}:** ${said}`,
  (name, said) => `- ${name}: ${said}`,
  (name, said) => `[10:02] ${name}: ${said}`,
  (name, said) => `**${name}**\n${said}\n`,
];
const owned = [
  "tandem",
  "trailer",
  "canoe",
  "telescope",
  "drum kit",
  "sewing machine",
  "chess clock",
  "tripod",
];
const places = [
  "behind the bakery",
  "at the harbour gate",
  "in the cellar",
  "by the old mill",
  "under the stairs",
];
const smallTalk = [
  "That sounds good to me.",
  "I was thinking about it on the way home and then forgot all of it again.",
  "The weather is supposed to turn on Thursday.",
  "I finally finished that book, the ending was odd but I liked the middle part a lot.",
  "Sure.",
];

/** The answer has no word of the question, and stands a turn or two below it. */
function addTalks(notes: Map<string, string>, questions: ShapedQuestion[], pick: Pick): void {
  for (let index = 0; index < 40; index++) {
    const form = forms[index % forms.length]!;
    const thing = owned[index % owned.length]!;
    const said = `${pick(places)}, row ${index + 3}.`;
    const talk = (): string[] =>
      Array.from({ length: 6 + (index % 9) }, () => form(pick(["Ines", "Tomas"]), pick(smallTalk)));
    const remark = index % 4 === 0 ? [form("Ines", "Hm, wait.")] : [];
    const lines = [
      ...talk(),
      form("Tomas", `Where did you leave the ${thing}?`),
      ...remark,
      form("Ines", said),
      ...talk(),
    ];
    const path = `memory/talks/${index}.md`;
    notes.set(path, `# Talk\n\n${lines.join("\n")}\n`);
  }
  for (const thing of owned) {
    const asked = `leave the ${thing}?`;
    questions.push({
      ...{ shape: "turn", query: `where was the ${thing} left`, path: "memory/talks/", shows: ", row " },
      together: [asked, ", row "],
    });
  }
}

const failures = [
  "text messages",
  "night trains",
  "login mails",
  "parcel labels",
  "door codes",
  "price lists",
];
const causes = ["the queue was full", "a clock was an hour off", "the key had expired", "a cable was loose"];

function addIncidents(notes: Map<string, string>, questions: ShapedQuestion[]): void {
  for (const [index, failure] of failures.entries()) {
    const cause = causes[index % causes.length]!;
    const path = `memory/incidents/${index}.md`;
    const head = `---\nincident: ${index + 10}\nsummary: why the ${failure} were late\ntags: [late, ${failure.replace(" ", "-")}]\nseverity: high\n---\n`;
    notes.set(path, `${head}\n# What happened\n\nThe ${failure} came late, since ${cause}.\n`);
    questions.push({
      shape: "front matter",
      query: `why were the ${failure} late`,
      path,
      shows: cause,
      hides: "severity",
    });
  }
}

const topics = [
  ["turbine", "blade", "fatigue"],
  ["lichen", "granite", "growth"],
  ["ledger", "audit", "seal"],
  ["reef", "coral", "bleaching"],
  ["violin", "varnish", "resonance"],
  ["glacier", "moraine", "retreat"],
  ["harbour", "dredging", "silt"],
  ["beehive", "queen", "swarm"],
];
const fillers =
  "method survey period sample region season office report budget visitor table figure reader chapter article series committee member station village winter summer market factory library teacher driver painter doctor farmer window garden bridge tunnel corner ceiling basket bottle ribbon candle mirror blanket".split(
    " ",
  );

/** A question of many words, each said once, but for those that it is about. */
function addAbstracts(notes: Map<string, string>, questions: ShapedQuestion[], pick: Pick): void {
  for (const [index, [first, second, third]] of topics.entries()) {
    const path = `memory/abstracts/${index}.md`;
    const said = `On the ${third} of the ${first}: the ${second} was followed for a year.`;
    notes.set(path, `${said}\n`);
    const some = fillers.slice(index, index + 34);
    notes.set(
      `memory/abstracts/decoy-${index}.md`,
      `A ${some.slice(3, 10).join(", a ")}, and the ${pick(some)}.\n`,
    );
    const query =
      `I read about ${some.slice(0, 17).join(", ")} and the ${first}, and about ${some.slice(17).join(", ")}. ` +
      `Is the ${first} studied with its ${second}? Which ${third} does a ${first} show, and how is the ${third} of the ${second} told?`;
    questions.push({ shape: "long", query, path, shows: said });
  }
}

const machines = ["Coffee grinder", "Band saw", "Label press", "Wind gauge", "Milk pump", "Slide scanner"];

/** Other notes speak more often of the thing than the note that bears it as its title or alias. */
function addTitles(notes: Map<string, string>, questions: ShapedQuestion[]): void {
  for (const [index, machine] of machines.entries()) {
    const path = `memory/machines/m${index}.md`;
    const said = `Bought from number ${index + 40}, with a warranty of two years.`;
    const alias = `old ${machine.split(" ")[1]} of hall ${index}`;
    const head =
      index % 2 === 0
        ? `---\naliases: ["${alias}"]\n---\n# ${machine}`
        : `---\ntitle: ${machine}\nalias: ${alias}\n---`;
    notes.set(path, `${head}\n\n${said}\n`);
    for (const name of [machine, alias]) {
      notes.set(
        `memory/machines/talk of ${name} again.md`,
        `The ${name}: who cleans the ${name}, and where is the ${name} now?\n`,
      );
      questions.push({ shape: "title", query: name, path, shows: said, hides: "alias" });
    }
  }
}
