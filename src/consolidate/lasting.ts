import type { MemoryKind } from "../extract/cues/cue.ts";
import { rateSentence } from "../extract/rate-sentence.ts";
import { findRelativeDates } from "../text/relative-dates.ts";

export type LastingKind = Exclude<MemoryKind, "deadline">;

/**
 * What kind of lasting fact a line of a daily note states; null if it describes an event or something temporary. A line
 * that stays in its daily note is still found, so doubtful ones stay there.
 */
export function lastingKindOf(said: string): LastingKind | null {
  if (said.length > maxChars || said.endsWith(":") || /[?？]/.test(said)) return null;
  // The "now" in "from now on" is not temporary.
  if (transient.test(said.replace(fromNowOn, "")) || findRelativeDates(said, "2000-01-01").length > 0)
    return null;
  const rated = rateSentence(said, "user");
  if (rated === null || rated.kind === "deadline") return null;
  const { kind, score } = rated;
  if (kind === "decision") return score >= 5 || states(said) || fromNowOn.test(said) ? kind : null;
  if (kind === "identifier") return states(said) && !event.test(said) && !past.test(said) ? kind : null;
  return event.test(said) ? null : kind;
}

const fromNowOn =
  /(?<!\p{L})(?:from now on|going forward|ab sofort|künftig|von nun an|désormais|dorénavant|à partir de maintenant|a partir de ahora|de ahora en adelante)(?!\p{L})|从现在起|从今以后|我们决定|决定用|今後|に決めた|に決定/iu;

/** Longer text tells a story; a fact takes a sentence or two. */
const maxChars = 240;

/** States what something is, or what is always or never done. */
function states(said: string): boolean {
  return (
    /^(?:the|our|my|all|every|each|no|we|i|der|die|das|unsere?|mein\p{L}*|alle|wir|ich|el|la|los|las|nuestr\p{L}+|mi|todos|le|les|l['’]|notre|mon|ma|nous|on)(?= |\p{L}).* (?:is|are|lives?|runs?|uses?|use|always|never|only|must|may not|ist|sind|läuft|liegt|heißt|lautet|immer|nie|nur|muss|es|son|está|están|se llama|siempre|nunca|solo|debe|est|sont|tourne|s['’]appelle|toujours|jamais|doit)(?!\p{L})/iu.test(
      said,
    ) || /是|叫|总是|總是|从不|必须|です|という|である|必ず|決して/u.test(said)
  );
}

/** Completed actions. */
const event =
  /^(?:fixed|merged|ran|released|deployed|reviewed|tested|wrote|sent|ordered|called|met|moved|updated|added|removed|debugged|found|tried|paid|cleaned|repaired|replaced|renewed|rotated|bought|restarted|upgraded|finished|started|talked|had|got|saw|heard|read|lunch|standup|stand-up|call|meeting|error|incident|outage|behoben|gemergt|getestet|bestellt|geschrieben|telefoniert|arreglado|probado|enviado|llamé|corrigé|testé|envoyé|appelé|\d{1,2}[:.h]\d{2})(?!\p{L})/iu;

const past =
  /(?<!\p{L})(?:was|were|had|did|went|took|wurden?|war|waren|hatten?|fue|fueron|estaba|était|étaient|avait)(?!\p{L})/iu;

/** Words for what holds for hours or days: someone is away, something is broken or awaited. */
const transient = new RegExp(
  `(?<!\\p{L})(?:${[
    "now|right now|currently|at the moment|for now|so far|still|again|soon|tonight|this (?:morning|afternoon|evening|week|month|time)|postponed|pending|waiting|blocked|broken|down|offline|ill|sick|away|on call|on leave|on holiday|on vacation|on the (?:boat|water|road)|out of office|until (?:further notice|next|the end)|todo|tbd|maybe|perhaps|probably",
    "gerade|momentan|zurzeit|derzeit|vorerst|noch|wieder|bald|krank|im urlaub|verschoben|kaputt|vielleicht|wahrscheinlich|diese woche",
    "ahora|por ahora|de momento|todavía|otra vez|pronto|enferm[oa]|de vacaciones|de baja|aplazad[oa]|roto|rota|quizás?|tal vez|esta semana",
    "maintenant|pour l['’]instant|en ce moment|encore|bientôt|malade|en congé|en vacances|reporté[e]?|en panne|peut-être|cette semaine",
  ].join(
    "|",
  )})(?!\\p{L})|暂时|目前|现在|正在|还没|生病|请假|可能|也许|今のところ|しばらく|まだ|休み|かもしれ`,
  "iu",
);
