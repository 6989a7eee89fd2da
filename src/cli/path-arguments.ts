import path from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { isWithin, realPath } from "../paths.ts";
import type { GlobalOptions } from "./command.ts";

/**
 * A note's path as a user types it. Shells and editors complete absolute paths; one inside the workspace is made
 * relative, and the path guard checks it like any other. Windows shells complete `.\\memory\\tea.md`; since no note
 * name contains a backslash, it can only mean a slash. Any other absolute path is kept, and refused later.
 */
export function noteArgument(
  text: string,
  workspaceDir: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const system = platform === "win32" ? path.win32 : path.posix;
  if (system.isAbsolute(text)) return nameInside(text, workspaceDir, system) ?? text;
  if (platform === "win32" && /^[a-z]:/i.test(text)) return text;
  return (platform === "win32" ? text.replaceAll("\\", "/") : text).replace(/^(?:\.\/+)+/, "");
}

/** Null for a path outside, or with `..` in it: with links, its meaning depends on the file system. */
function nameInside(text: string, workspaceDir: string, system: path.PlatformPath): string | null {
  if (text.split(/[\\/]/).includes("..")) return null;
  const folder = system.dirname(text);
  const places = [text, system.join(realFolder(folder), system.basename(text))];
  for (const root of [workspaceDir, realFolder(workspaceDir)]) {
    const inside = places.find((place) => isWithin(place, root, system));
    if (inside !== undefined) return system.relative(root, inside).split(system.sep).join("/");
  }
  return null;
}

/** The workspace and the path may each go through a link, such as /tmp on macOS. */
function realFolder(folder: string): string {
  return unlessRefused(
    () => realPath(folder),
    () => folder,
  );
}

/** The same for a glob, in which a backslash before a bracket escapes it. */
export function globArgument(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? text.replace(/\\(?![[\]{}])/g, "/") : text;
}

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

/** Rejects a folder without a name, and one that is given as an argument and with --workspace. */
export function checkFolder(dir: string | undefined, { workspace }: Pick<GlobalOptions, "workspace">): void {
  if ((dir ?? workspace) === "") {
    throw new LonghandError("usage", "The name of the folder is empty.", {
      hint: "Name a folder, or leave it out for the current one.",
    });
  }
  if (dir === undefined || workspace === undefined) return;
  throw new LonghandError("usage", `The folder is named twice: ${dir} and --workspace ${workspace}.`, {
    hint: "Name it once.",
  });
}
