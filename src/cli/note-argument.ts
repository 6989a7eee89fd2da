/**
 * A note's path as a user types it. The shells of Windows complete `.\memory\tea.md`; as no note has a backslash in its
 * name, slashes can only be meant. Paths that begin with a drive or a server stay as they are, and are refused.
 */
export function noteArgument(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32" || /^(?:[a-z]:|\\\\)/i.test(text)) return text;
  return text.replaceAll("\\", "/").replace(/^\.\//, "");
}

/** The same for a glob, in which a backslash before a bracket takes it literally. */
export function globArgument(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? text.replace(/\\(?![[\]{}])/g, "/") : text;
}
