import { type Cue, type CueLanguage, type Doubt, type MemoryKind, words } from "./cues/cue.ts";
import { deadlineCues } from "./cues/deadlines.ts";
import { decisionCues } from "./cues/decisions.ts";
import { identifierCues } from "./cues/identifiers.ts";
import { identityCues } from "./cues/identities.ts";
import { preferenceCues } from "./cues/preferences.ts";

interface SentenceRating {
  readonly kind: MemoryKind;
  readonly score: number;
}

const threshold = 3;
const hopeless = 6;

/** What a sentence is worth keeping for, and how certainly; null if it is not. */
export function rateSentence(sentence: string, role: "user" | "assistant"): SentenceRating | null {
  const stated = cutQuestion(sentence);
  if (isTooShort(stated)) return null;
  const plain = stated.toLowerCase();
  const languages = languagesOf(plain);
  // Most of what an assistant says is about the work in progress, and need not be examined further.
  const doubted = doubts.filter(
    ({ by, pattern }) => (by === undefined || by === role) && pattern.test(plain),
  );
  if (sumOf(doubted.filter(({ kind }) => kind === undefined)) >= hopeless) return null;
  const scores = new Map<MemoryKind, number>();
  for (const cue of cues) {
    if (!languages.has(cue.language)) continue;
    if (cue.pattern.test(cue.isCased ? stated : plain)) {
      scores.set(cue.kind, (scores.get(cue.kind) ?? 0) + cue.weight);
    }
  }
  for (const [kind, score] of scores) {
    scores.set(
      kind,
      score - sumOf(doubted.filter((doubt) => doubt.kind === undefined || doubt.kind === kind)),
    );
  }
  const [best] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < threshold) return null;
  const others =
    [...scores.values()].filter((score) => score > 0).reduce((sum, score) => sum + score, 0) - best[1];
  return { kind: best[0], score: best[1] + Math.min(others, 3) / 2 };
}

function sumOf(doubted: readonly Doubt[]): number {
  return doubted.reduce((sum, { weight }) => sum + weight, 0);
}

const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
/** Words that most English sentences contain and other languages do not. */
const englishWord =
  /(?<![\p{L}'])(?:the|is|are|we|i|my|to|and|of|you|our|it|will|for|have|has|with|please|not|don't|at|by|use|never|always|only|that|this|they|he|she|was|keep|stop|let's|your)(?!\p{L})/u;
const otherWord =
  /(?<!\p{L})(?:der|die|das|ich|wir|und|bitte|ist|mein|meine|el|los|que|de|le|les|des|je|mi|es|est|soy|ma|mon|no me|nous|nos)(?!\p{L})/u;

/** Which cues to try; those of both languages if a sentence could be either. */
function languagesOf(plain: string): ReadonlySet<CueLanguage> {
  if (eastAsian.test(plain)) return eastAsianOnly;
  const [isEnglish, isOther] = [englishWord.test(plain), otherWord.test(plain)];
  if (isEnglish === isOther) return anyLatin;
  return isEnglish ? englishOnly : europeanOnly;
}

const eastAsianOnly: ReadonlySet<CueLanguage> = new Set(["any", "east-asian"]);
const englishOnly: ReadonlySet<CueLanguage> = new Set(["any", "english"]);
const europeanOnly: ReadonlySet<CueLanguage> = new Set(["any", "european"]);
const anyLatin: ReadonlySet<CueLanguage> = new Set(["any", "english", "european"]);

/** The statement before a question: "I prefer tea, can you order some?" The question is no evidence. */
function cutQuestion(sentence: string): string {
  // Markdown emphasis may separate words that belong together.
  const plain = sentence.replaceAll("’", "'").replace(/\*{1,3}|(?<!\w)__|__(?!\w)/g, "");
  const asked = questionClause.exec(plain)?.index;
  if (asked !== undefined) return plain.slice(0, asked);
  if (plain.startsWith("¿")) return "";
  if (!/[?？][)\]"'”」]*$/.test(plain)) return plain;
  return plain.slice(
    0,
    Math.max(0, ...[",", ";", "，", "、", " - ", " – ", "¿"].map((mark) => plain.lastIndexOf(mark))),
  );
}

const questionClause =
  /(?<![\p{L}\p{N}])(?:(?:can|could|would|will|do|did) you|(?:can|could|should|shall|do|would) (?:i|we)|how (?:can|do|should|would|could|long|many|much|about)|what(?:'s| is| are| would| should| do|'re| about)|is there|are there|any (?:idea|ideas|tips|advice)|i(?:'m| am|) wonder(?:ing|)|kannst du|können sie|soll(?:en)? (?:ich|wir)|was (?:hältst|meinst)|puedes|podrías|qué te parece|peux-tu|tu peux|pouvez-vous|est-ce que)(?![\p{L}\p{N}])/iu;

function isTooShort(sentence: string): boolean {
  if (eastAsian.test(sentence)) return sentence.length < 5;
  const count = sentence.trim().split(/\s+/, 3).length;
  return sentence.length < (count < 3 ? 14 : 10) || count < 2;
}

const doubts: readonly Doubt[] = [
  {
    weight: 3,
    kind: "decision",
    pattern: words(
      "maybe|perhaps|might|possibly|not sure|what if|if (?:we|i|you|they)|should (?:we|i)|could (?:we|you|i|be)|would (?:it|you|that)|at some point|some day|someday|i wonder|i think we could|i guess|don't know|i don't|vielleicht|eventuell|mal sehen|falls|wenn wir|sollen wir|quizás?|tal vez|a lo mejor|si (?:decidimos|usamos)|peut-être|si (?:on|nous)|on pourrait|plus tard",
    ),
  },
  {
    weight: 1.5,
    kind: "deadline",
    pattern: words(
      "maybe|perhaps|might|possibly|not sure|don't know|i guess|vielleicht|quizás?|tal vez|peut-être",
    ),
  },
  { weight: 3, kind: "decision", pattern: /也许|也許|可能|说不定|如果|要不要|かもしれ|もし|たら.*どう/u },
  // What both of them see right now is part of the work in progress.
  {
    weight: 2,
    pattern: words(
      "(?:the |this |that |your |my |a |all |both )?(?:builds?|tests?|suite|compiler|linter|parser|script|loop|function|method|page|screen|button|app|output|log|logs|error|stack trace|warning|line \\d+|lines \\d+|diff|exit code|commit|cursor|spinner|page|query|request)(?: \\p{L}+)? (?:is|are|was|has|says?|fails?|failed|shows?|showed|prints?|printed|returns?|returned|crash\\p{L}*|looks?|took|takes|runs|ran|hangs?|froze|stopped|now (?:pass|fail|run|work)\\p{L}*|still|doesn't|does not|didn't)|exit code|same result|it (?:printed|crashed|failed|worked|works|says|said|stopped|took|returns|should|doesn't|didn't|still)|i (?:get|got) (?:an?|the|this|no|nothing|\\d+)|i (?:see|saw|ran|tried|restarted|opened|clicked|pasted|read|checked)",
    ),
  },
  { weight: 1.5, pattern: words("yet|this time|right now|one more time|for a (?:second|moment)") },
  {
    weight: 4,
    by: "assistant",
    pattern: words(
      "i \\p{L}+ed|which i|i(?:'ll| will|'ve| have|'d| would|'m going to| can| could|'m now| am now| ran| fixed| added| moved| found| updated| changed| see| couldn't| won't| decided| chose| picked| recommend| suggest)|we could|let me|let's|here(?:'s| is| are)|would you|do you want|feel free|you (?:can|could|may|might|should)|it looks like|looks like|i'd suggest|the (?:report|build|suite|test|tests|deploy) (?:is|are|has|was|now|failed|passed)|ich (?:habe|werde|sehe|melde|kann)|soll ich|he \\p{L}+ado|puedo|voy a|quieres|je (?:regarde|vais|peux|relance|continue)|veux-tu",
    ),
  },
  // Much of what an assistant states repeats files, tools or the user.
  { weight: 2, by: "assistant", pattern: /^/u },
  { weight: 2, by: "assistant", pattern: words("your|you|deine?|ihre?|tus?|votre|vos|tes") },
];

/**
 * Phrases that announce decisions, preferences, identities, deadlines and identifiers, as patterns of subject, verb and
 * time. English first, then German, Spanish, French, Chinese and Japanese.
 */
const cues: readonly Cue[] = [
  ...decisionCues,
  ...preferenceCues,
  ...identityCues,
  ...deadlineCues,
  ...identifierCues,
];
