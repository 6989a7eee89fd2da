/**
 * Notes may hold text that somebody else wrote. Escape sequences could repaint the terminal, and invisible or
 * direction-changing characters could hide what a line says, so they are shown by their code points. The joiners
 * U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function showHidden(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(
      hidden,
      (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
    );
}
