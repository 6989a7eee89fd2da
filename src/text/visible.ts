import { once } from "./once.ts";

/**
 * Notes may contain text by others. Escape sequences could repaint the terminal, and invisible or direction-changing
 * characters could hide what a line says, from people and from models.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]|\u034f|(?:[\u180b-\u180d\u180f\u200c]|\u200d|[\ufe00-\ufe0f\u{e0000}-\u{e0fff}])+/gu;

/** Contains no hidden character. Most text passes, and the expression above takes long to compile. */
const plain = new RegExp(
  "^[\\t\\n -~\\u00a0-\\u00ac\\u00ae-\\u034e\\u0350-\\u061b\\u061d-\\u115e\\u1161-\\u17b3\\u17b6-\\u180a\\u1810-\\u200a" +
    "\\u2010-\\u2027\\u202f-\\u205f\\u2070-\\u3163\\u3165-\\ud7ff\\ue000-\\ufdff\\ufe10-\\ufefe\\uff00-\\uff9f\\uffa1-\\uffef]*$",
);

/** True if no character is invisible, and for most such text; false says nothing. */
export function isVisible(text: string): boolean {
  return plain.test(text);
}

/** Shows such characters by their code points. */
export function showHidden(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  if (plain.test(lines)) return lines;
  return lines.replace(hidden, (run, offset: number, whole: string) =>
    isNeeded(run, offset, whole) ? run : showCodePoints(run),
  );
}

/**
 * A name, heading or other short text on one line: nothing in it can look like a separate line of output. Cut at
 * `maxChars`.
 */
export function showOnOneLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const line = showHidden(text).replace(/[\t\n]/g, showCodePoints);
  if (line.length <= maxChars) return line;
  return `${line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A message of another program on one short line: control characters become spaces. */
export function excerpt(text: string, maxChars = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  // Twice as many code units are enough for characters of any plane; more of them show whether something is cut.
  const characters = [...line.slice(0, 2 * maxChars + 2)];
  return characters.length <= maxChars
    ? characters.join("")
    : `${characters.slice(0, maxChars - 1).join("")}…`;
}

/** The same value, with such characters shown in every string. */
export function showHiddenIn<T>(value: T): T {
  if (typeof value === "string") return showHidden(value) as T;
  if (Array.isArray(value)) return value.map(showHiddenIn) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, showHiddenIn(part)])) as T;
}

export function hasHidden(text: string): boolean {
  const lines = text.replaceAll("\r\n", "\n");
  if (plain.test(lines)) return false;
  for (const { 0: run, index } of lines.matchAll(hidden)) if (!isNeeded(run, index, lines)) return true;
  return false;
}

function showCodePoints(run: string): string {
  return Array.from(
    run,
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
  ).join("");
}

/**
 * Joiners, variation selectors and tags belong to some scripts and emoji. A single one stays after a character that
 * uses it; elsewhere, and in runs, they can carry hidden text.
 */
function isNeeded(run: string, offset: number, whole: string): boolean {
  const before = /.$/su.exec(whole.slice(Math.max(0, offset - 2), offset))?.[0] ?? "";
  const after = String.fromCodePoint(whole.codePointAt(offset + run.length) ?? 0);
  if (run === "\u200c") return joins().test(before);
  if (run === "\u200d") return joins().test(before) || (emoji().test(before) && pictograph().test(after));
  if (run === "\ufe0f\u200d") return pictograph().test(before) && pictograph().test(after);
  if (run === "\ufe0f" && /[0-9#*]/.test(before)) return after === "\u20e3";
  if (/^[\ufe00-\ufe0f]$/.test(run)) return hasVariants().test(before);
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(run)) return /\p{Ideographic}/u.test(before);
  if (/^[\u180b-\u180d\u180f]$/.test(run)) return /\p{Script=Mongolian}/u.test(before);
  return before === "\u{1f3f4}" && nationsInTags.includes(run);
}

/** Letters that join, or form clusters that a joiner separates. */
const joins = once(() => {
  const scripts =
    "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu " +
    "Kannada Malayalam Sinhala Tibetan Myanmar Khmer Balinese Javanese Chakma";
  return new RegExp(
    `[${scripts
      .split(" ")
      .map((name) => `\\p{Script=${name}}`)
      .join("")}]`,
    "u",
  );
});
const pictograph = once(() => /\p{Extended_Pictographic}/u);
const emoji = once(() => /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u);
const hasVariants = once(
  () =>
    /(?!\p{ASCII})[\p{Emoji}\p{Extended_Pictographic}\p{S}\p{Ideographic}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Mongolian}]/u,
);

/** The flags of England, Scotland and Wales are spelled with tags after a black flag. */
const nationsInTags = ["gbeng", "gbsct", "gbwls"].map(
  (name) =>
    `${Array.from(name, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{e007f}`,
);
