import { isFields } from "./format.ts";

/** Types of blocks that hold what was said; all others are tools, thoughts, images. */
const textTypes = new Set(["text", "input_text", "output_text"]);

/**
 * The words in the content of a message: a text, or a list of blocks. Empty when it holds only other things, null when
 * it is no content at all.
 */
export function textOfContent(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (isFields(content)) return textOfContent([content]);
  if (!Array.isArray(content)) return null;
  const texts: string[] = [];
  for (const block of content) {
    if (typeof block === "string") texts.push(block);
    else if (isFields(block) && isText(block["type"]) && typeof block["text"] === "string") {
      texts.push(block["text"]);
    }
  }
  return texts.join("\n\n");
}

function isText(type: unknown): boolean {
  return type === undefined || textTypes.has(type as string);
}
