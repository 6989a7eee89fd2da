import { type Doubt, words } from "./cue.ts";

export const doubts: readonly Doubt[] = [
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
  // What happens in front of both of them now is part of the work.
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
  // Of what an assistant states much is repeated: from files, from tools, from what the user has just said.
  { weight: 2, by: "assistant", pattern: /^/u },
  { weight: 2, by: "assistant", pattern: words("your|you|deine?|ihre?|tus?|votre|vos|tes") },
];
