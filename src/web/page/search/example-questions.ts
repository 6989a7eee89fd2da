import { noteName } from "../text/human.ts";

const maxQuestions = 3;
/** Default names that editors give to new notes. */
const nameless =
  /^(?:untitled|new note|unbenannt|sans titre|sin título|senza titolo|无标题|無題)(?:$|[\s-]*\d+$)/i;
/** A longer title is a sentence, which makes a poor topic. */
const maxTitleChars = 50;

interface NamedNote {
  readonly path: string;
  readonly title?: string | undefined;
}

/** Questions that these notes may answer, for users who do not know yet what to ask. */
export function exampleQuestions(notes: readonly NamedNote[]): string[] {
  const questions = notes.map(({ path, title: given = "" }) => {
    const title = given.replace(/\s*\([^()]*\)$/, "");
    const name = noteName(path);
    // A number such as 0007 or a timestamp such as 202403041530 sorts notes, but nobody asks for it.
    const date = /^\d{4}-\d{2}-\d{2}/.exec(name)?.[0];
    const topic = name
      .slice(date?.length ?? /^(?:0\d*|\d{8}(?:\d{4}(?:\d{2})?)?)(?=[-_\s])/.exec(name)?.[0].length ?? 0)
      .replaceAll(/[-_\s]+/g, " ")
      .trim();
    if (/^memory$/i.test(name)) return "What should you always remember?";
    const isTopic = /^\D/.test(title) && title.length <= maxTitleChars;
    if (nameless.test(topic)) return "";
    if (topic !== "") return `What do we know about ${isTopic ? title : topic}?`;
    return date === undefined ? "" : `What happened on ${date}?`;
  });
  return [...new Set(questions)].filter((question) => question !== "").slice(0, maxQuestions);
}
