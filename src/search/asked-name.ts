/**
 * A question that asks for a person or a thing by name and says nothing else: "who is Marta?" is "Marta". Only as long
 * as the rest is the whole name of a note does this matter, so a phrase more costs nothing.
 */
const questions = [
  /^(?:who|what)(?: is| are| was| were|['’]s|['’]re) /,
  /^tell me (?:more |everything |something )?about /,
  /^what (?:do|did) (?:i|we|you) (?:know|say|write|note) about /,
  /^(?:wer|was) (?:ist|sind|war|waren) /,
  /^was (?:wissen wir|wei(?:ß|ss) ich) über /,
  /^qui (?:est|sont|était) /,
  /^qu['’]est ce que? (?:c['’]est que )?/,
  /^que (?:savons nous|sait on) (?:de |d['’]|sur )/,
  /^(?:¿ ?)?(?:quién|quien|qué|que) (?:es|son|era) /,
  /^(?:¿ ?)?qué sabemos (?:de|sobre) /,
  /^(?:chi|cos['’]?|che cosa) ?(?:è|sono|era) /,
  /^(?:quem|o que) (?:é|são|era) /,
  /^(?:wie|wat) (?:is|zijn|was) /,
];
/** How they begin. Most queries begin otherwise, and compiling all these expressions takes long. */
const mayBeQuestion = /^(?:who|what|tell me|w(?:er|as|ie|at) |qu|¿|chi|cos|che cosa|o que)/;
const questionEnds = /(?:是谁|是誰|是什么|是什麼|とは(?:誰|何)?(?:ですか)?|って誰|は誰(?:ですか)?)$/;
const articles = /^(?:the|a|an|my|our|der|die|das|mein|meine|unser|unsere|el|la|los|las|le|les|il|o|de|het) /;

/** What the query, written as `plainName` writes it, may name: all of it, or what its question is about. */
export function askedNames(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  const start = mayBeQuestion.test(name) ? questions.find((question) => question.test(name)) : undefined;
  const rest = name.replace(start ?? questionEnds, "").trim();
  if (rest !== name && rest !== "") names.add(rest).add(rest.replace(articles, ""));
  return names;
}
