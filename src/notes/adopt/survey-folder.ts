import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SkippedEntry } from "../../sources/source.ts";
import { defaultDailyPattern } from "../daily-pattern.ts";
import { discoverNotes } from "../discover.ts";
import { loadIgnoreRules } from "../ignore-rules.ts";
import { ownPlaces, resolveWorkspace } from "../note-places.ts";
import { guessDaily } from "./guess-daily.ts";
import { type FolderLook, findNoteTool } from "./note-tools.ts";

/** What a folder holds, before it is adopted. */
export interface FolderSurvey {
  /** The program it was made with; null for a plain folder. */
  readonly tool: string | null;
  /** Where new entries would go by what is there. */
  readonly daily: string;
  /** What its program does not count as notes, in gitignore syntax. */
  readonly exclude: readonly string[];
  readonly notes: number;
  readonly folders: number;
  /** Markdown files that would stay out. */
  readonly skipped: readonly SkippedEntry[];
}

/** Looks at a folder; nothing is changed, and nothing outside it is read. */
export async function surveyFolder(
  dir: string,
  { exclude, signal }: { readonly exclude: readonly string[]; readonly signal?: AbortSignal },
): Promise<FolderSurvey> {
  const root = resolveWorkspace(dir);
  const tool = await findNoteTool(lookInto(root));
  const added = (tool?.exclude ?? []).filter((pattern) => !exclude.includes(pattern));
  const rules = await loadIgnoreRules(root, [...exclude, ...added]);
  const places = ownPlaces({ workspaceDir: dir, include: "all" });
  const { entries, skipped } = await discoverNotes({ places, rules, signal });
  const paths = entries.map(({ path }) => path);
  return {
    tool: tool?.name ?? null,
    daily: tool?.daily ?? guessDaily(paths) ?? defaultDailyPattern,
    exclude: added,
    notes: paths.length,
    folders: new Set(paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1))).size,
    skipped,
  };
}

/** Settings files are small; a larger one, or a link that leads elsewhere, is not read. */
const maxSettingsBytes = 1024 * 1024;

function lookInto(root: string): FolderLook {
  const look = (path: string) => {
    try {
      return lstatSync(join(root, path), { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  };
  return {
    folders: readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
    hasFolder: (path) => look(path)?.isDirectory() === true,
    readText(path) {
      const isInside = path.split("/").every((_, index, parts) => {
        const part = look(parts.slice(0, index + 1).join("/"));
        return index === parts.length - 1 ? part?.isFile() === true : part?.isDirectory() === true;
      });
      if (!isInside || (look(path)?.size ?? 0) > maxSettingsBytes) return null;
      try {
        return readFileSync(join(root, path), "utf8");
      } catch {
        return null;
      }
    },
  };
}
