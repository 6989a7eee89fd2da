/**
 * The path of a file or folder as it was meant, or null if that cannot be known. On Windows, programs take a backslash
 * before the closing quote for an escape, so `"C:\\My Notes\\"` arrives with the quote and without the backslash, and all
 * that follows on the command line belongs to it. No path contains a quote there.
 */
export function pathArgument(text: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== "win32") return text;
  const path = text.replace(/"\s*$/, "");
  return path.includes('"') ? null : path;
}

export const strayQuoteHint =
  "Leave out the backslash before the closing quote: Windows takes the two for a quote in the text.";
