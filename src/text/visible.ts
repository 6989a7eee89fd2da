/**
 * Notes may hold text that somebody else wrote. Escape sequences could repaint the terminal, and invisible or
 * direction-changing characters could hide what a line says, from people and from models. The joiners U+200C and
 * U+200D do not count: Persian, Indic scripts and emoji need them. A variation selector belongs to the character before
 * it, but a row of them can carry a text of its own.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;

/** Most text needs no closer look. */
const plain = /^[\t\n -~]*$/;

/** The text with such characters shown by their code points. */
export function showHidden(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  if (plain.test(lines)) return lines;
  return lines.replace(
    hidden,
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** The same value, with such characters shown in every text in it. */
export function showHiddenIn<T>(value: T): T {
  if (typeof value === "string") return showHidden(value) as T;
  if (Array.isArray(value)) return value.map(showHiddenIn) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, showHiddenIn(part)])) as T;
}

export function hasHidden(text: string): boolean {
  const lines = text.replaceAll("\r\n", "\n");
  return !plain.test(lines) && lines.search(hidden) !== -1;
}
