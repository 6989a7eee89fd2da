import { wikiLink } from "./note-parts.ts";

const noteLink = /\[[^\][\n]{0,300}\]\(<?([^()<>\s#]{1,500}\.md)/g;
const mention = /(?<![\p{L}\p{N}_/-])(?:memory\/)?[\p{L}\p{N}_./-]{1,200}\.md(?![\p{L}\p{N}])/gu;

/** What a text may mean another note by: targets of links, and paths that it only mentions. */
export function linkTargets(text: string): string[] {
  const wiki = Array.from(text.matchAll(wikiLink), ([, , target = ""]) => target.trim());
  const plain = Array.from(text.matchAll(noteLink), ([, target = ""]) =>
    decode(target).replace(/^(?:\.{1,2}\/)+/, ""),
  );
  const mentioned = Array.from(text.matchAll(mention), ([path]) => path);
  return [...wiki, ...plain, ...mentioned];
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Whether a text has a link or picture that leads elsewhere once the text stands in another folder or note. */
export function hasRelativeLink(text: string): boolean {
  return (
    /\]\(\s*<?(?![a-z][a-z\d+.-]*:|\/)[^)\s]/i.test(text) ||
    /^ {0,3}\[[^\]\n]+\]:\s*(?![a-z][a-z\d+.-]*:|\/)\S/im.test(text)
  );
}
