import { LonghandError } from "../errors.ts";

/**
 * The text of an entry as it will be written: `\n` as line end, no blank lines around it, valid Unicode. Throws
 * `entry-invalid` for text that cannot be kept; nothing is dropped silently.
 */
export function cleanEntry(text: string): string {
  if (typeof text !== "string") throw refuseEntry("it is not text");
  refuseHalves(text, "text");
  const cleaned = text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trimEnd()
    .replace(/^(?:[^\S\n]*\n)+/, "");
  if (cleaned === "") throw refuseEntry("it is empty");
  refuseControl(cleaned, "text");
  const sizeBytes = Buffer.byteLength(cleaned);
  if (sizeBytes > maxEntryBytes)
    throw refuseEntry(`it has ${sizeBytes} bytes, and ${maxEntryBytes} are allowed`);
  return cleaned.includes("\n") ? cleaned : cleaned.trimStart();
}

export interface EntryHeading {
  /** 1 to 6 if the caller gave it with `#`. */
  readonly level?: number;
  readonly text: string;
}

export function cleanHeading(heading: string): EntryHeading {
  if (typeof heading !== "string") throw refuseEntry("its heading is not text");
  const [, marks = "", text = ""] = /^(#{0,6})\s*(.*)$/s.exec(heading.trim()) ?? [];
  refuseHalves(heading, "heading");
  if (text === "") throw refuseEntry("its heading is empty");
  if (text.length > maxHeadingChars)
    throw refuseEntry(`its heading is over ${maxHeadingChars} characters long`);
  if (text.includes("\n")) throw refuseEntry("its heading has more than one line");
  refuseControl(text, "heading");
  return marks === "" ? { text } : { level: marks.length, text };
}

/** Where an entry came from, safe inside an HTML comment. */
export function cleanOrigin(origin: string): string {
  return origin
    .toWellFormed()
    .replace(/[^\p{L}\p{N} ._:/@#+-]+/gu, " ")
    .replace(/-{2,}/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80);
}

const maxEntryBytes = 64 * 1024;
const maxHeadingChars = 200;

/** UTF-8 cannot encode a lone surrogate: it would silently become another character. */
function refuseHalves(text: string, what: "text" | "heading"): void {
  if (text.isWellFormed()) return;
  throw refuseEntry(`its ${what} has half a character in it (a surrogate without its other half)`);
}

function refuseControl(text: string, what: "text" | "heading"): void {
  const match = /(?![\n\t])\p{Cc}/u.exec(text);
  if (match === null) return;
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw refuseEntry(`its ${what} has the control character U+${code} in it`);
}

function refuseEntry(why: string): LonghandError {
  return new LonghandError("entry-invalid", `The entry cannot be added: ${why}.`, {
    hint: "Add plain text of at most 64 KiB; put longer text into a note of its own.",
  });
}
