import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { otherSentences } from "../../test/support/key-sentences.ts";
import { type ConversationTurn, chooseSentences, sentencesOf } from "./extract.ts";

/** Wordings of a statement; `*` stands for its subject. */
const wordings = {
  decision: [
    "We decided to use * for the ledger.",
    "We agreed on *.",
    "we're going with * after all",
    "Let's go with *.",
    "From now on we use *.",
    "The team settled on *.",
    "Decision: we take *.",
    "After the meeting it's settled: * it is.",
    "We'll switch to * next quarter.",
    "I've decided against *.",
    "We no longer support *.",
    "We won't be using * anymore.",
    "Management approved *.",
    "Change of plan: we take *.",
    "Wir haben uns für * entschieden.",
    "Hemos decidido usar *.",
    "On a choisi *.",
    "我们决定用 *。",
    "* を使うことに決めました。",
  ],
  preference: [
    "I prefer *.",
    "I'd rather have * than anything else.",
    "Please never use * in my texts.",
    "Always ask me before you touch *.",
    "I can't stand *.",
    "I don't like *.",
    "My favourite is *.",
    "Don't use * for me, ever.",
    "Ich mag kein *.",
    "Prefiero *.",
    "Je préfère *.",
    "我喜欢 *。",
    "* が好きです。",
  ],
  deadline: [
    "* is due by 14 May.",
    "The deadline for * is Friday.",
    "We need * before the end of March.",
    "* has to be ready by next Tuesday.",
    "* expires on 3 October.",
    "The meeting about * is on Monday at 10:00.",
    "* muss bis zum 4. Juni fertig sein.",
    "Hay que entregar * antes del viernes.",
    "Il faut rendre * avant le 12 mai.",
    "* 的截止日期是12月15日。",
    "* の締め切りは12月15日です。",
  ],
} as const;

const subjects = ["Zephyr-9", "Quokka", "PostgreSQL 17", "oat milk", "Helsinki", "tabs"];
const planted = fc
  .tuple(fc.constantFrom(...Object.values(wordings).flat()), fc.constantFrom(...subjects))
  .map(([wording, subject]) => wording.replace("*", subject));

/** Text that may surround a sentence in the same message. */
const shapes: readonly ((sentence: string) => string)[] = [
  (sentence) => sentence,
  (sentence) => sentence.replaceAll("'", "’"),
  (sentence) => `Hello there!\r\n\r\n- ${sentence}\r\n- run the tests`,
  (sentence) => `ok thanks\n${sentence}\ncan you update the docs?`,
  (sentence) => `1. ${sentence}`,
  (sentence) => `Look at this:\n\`\`\`ts\nconst x = 1;\n\`\`\`\n${sentence}`,
  (sentence) => `<p> is not closed here\n${sentence}`,
  (sentence) => `<T> is the type.\n${sentence}`,
  (sentence) => `~~~\n${sentence}`,
  (sentence) => `**Note** ${sentence} Thanks!`,
  (sentence) => wrap(`I went through all of the options with the others again this morning. ${sentence}`, 72),
  (sentence) => wrap(`- ${sentence} It took us a while, and nobody was happy with all of it at first.`, 50),
];
const noise = fc.oneof(
  fc.constantFrom(...otherSentences.user).map((text) => ({ role: "user" as const, text })),
  fc.constantFrom(...otherSentences.assistant).map((text) => ({ role: "assistant" as const, text })),
  fc.string({ maxLength: 200 }).map((text) => ({ role: "tool" as const, text })),
);

test("a planted decision, preference or date is found in every conversation, in any position and wording", () => {
  fc.assert(
    fc.property(
      fc.array(noise, { maxLength: 60 }),
      planted,
      fc.nat(),
      fc.nat(shapes.length - 1),
      (around, sentence, place, shape) => {
        const said = { role: "user" as const, text: shapes[shape]!(sentence) };
        const turns: ConversationTurn[] = around
          .toSpliced(place % (around.length + 1), 0, said)
          .map((turn, index) => ({ ...turn, line: index + 1 }));
        const found = chooseSentences(turns.flatMap(sentencesOf)).map(({ text }) => plain(text));
        assert.ok(
          found.some((text) => text.includes(plain(sentence))),
          `${JSON.stringify(said.text)} not in ${JSON.stringify(found)}`,
        );
      },
    ),
    { numRuns: 1500, seed: 20260302 },
  );
});

function wrap(text: string, width: number): string {
  return text.replace(new RegExp(`(.{${width - 20},${width}}) `, "gu"), "$1\n");
}

function plain(text: string): string {
  return text.replaceAll("’", "'").replace(/\s+/g, " ");
}
