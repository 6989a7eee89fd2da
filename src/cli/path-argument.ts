/**
 * The intended path of a file or folder, or null if it cannot be known. On Windows, programs treat a backslash before
 * the closing quote as an escape, so `"C:\\My Notes\\"` arrives with the quote, without the backslash, and with the
 * rest of the command line. No path on Windows contains a quote.
 */
export function pathArgument(text: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== "win32") return text;
  const path = text.replace(/"\s*$/, "");
  return path.includes('"') ? null : path;
}

export const strayQuoteHint =
  "Leave out the backslash before the closing quote: Windows takes the two for a quote in the text.";
