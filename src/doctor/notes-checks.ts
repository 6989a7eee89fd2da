import { existsSync } from "node:fs";
import { join } from "node:path";
import { likelyAgent } from "../config/choose-agent.ts";
import type { Settings } from "../config/settings.ts";
import { LonghandError } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { MemoryStatus } from "../memory/status.ts";
import type { Unadopted } from "../memory/unadopted.ts";
import { isTrustedWorkspace } from "../memory/workspace-trust.ts";
import { isFolder } from "../paths.ts";
import type { SkippedEntry, SkipReason } from "../sources/source.ts";
import { compact } from "../text/compact.ts";
import { countOf, formatCount, nameSome } from "../text/count-of.ts";
import { redactInSlices } from "../text/redact.ts";
import { type Check, type CheckGroup, fail, pass, whyUnwritable } from "./check.ts";

/** Reasons that contradict the user's intention; all others are intended or harmless. */
const lost: readonly SkipReason[] = ["unreadable", "missing", "too-large", "invalid-path"];

export const checkNotes: CheckGroup = ({ settings, status, unadopted }) => {
  if (settings instanceof LonghandError) return [];
  const { workspaceDir } = settings;
  if (!isFolder(workspaceDir)) {
    const fix = "Create it with `longhand init`, or name another folder with --workspace.";
    return [fail("workspace", `${workspaceDir} does not exist`, fix)];
  }
  const known = status === undefined || status instanceof LonghandError ? null : status;
  const checks = [checkWorkspace(settings), checkTrust(settings), ...checkUserLayer(settings, known)];
  if (known === null) return checks;
  const { files, skipped } = known.onDisk;
  const other = unadopted && nameUnadopted(unadopted);
  if (files === 0 && other)
    return [...checks, fail("notes", `there are none yet, but ${other.detail}`, other.fix)];
  if (files === 0) {
    const fix = "Write the first one with `longhand add`.";
    return [...checks, pass("notes", "there are none yet", fix)];
  }
  const count = countOf(files, "file");
  const wrong = skipped.filter(({ reason }) => lost.includes(reason));
  if (wrong.length === 0) {
    const detail = `${count}${nameReasons(skipped)}${other ? `; ${other.detail}` : ""}`;
    return [...checks, pass("notes", detail, other?.fix)];
  }
  const [first] = wrong;
  const detail = `${count}, but ${formatCount(wrong.length)} cannot be read: ${first!.path} (${first!.detail ?? first!.reason})`;
  const fix = "See all of them with `longhand status`, and correct permissions, names, sizes or extraPaths.";
  return [...checks, fail("notes", detail, fix)];
};

/** Read-only notes are still searched, but nothing can be added to them. */
function checkWorkspace(settings: Settings): Check {
  const { agentId, workspaceDir } = settings;
  const likely = likelyAgent(settings);
  if (likely !== null) {
    const detail = `${workspaceDir} is that of agent ${agentId}, which is not configured`;
    return fail("workspace", detail, `If you meant ${likely}, use --agent ${likely}.`);
  }
  const written = [".", "MEMORY.md", "memory"].map((name) => join(workspaceDir, name)).filter(existsSync);
  for (const path of written) {
    const why = whyUnwritable(path);
    if (why === null) continue;
    const detail = `${path} can be searched, but not written to (${why})`;
    return fail("workspace", detail, `Make ${path} writable, or name another folder with --workspace.`);
  }
  return pass("workspace", workspaceDir);
}

/** Nothing is broken, but a user of hooks may wonder why they add nothing. */
function checkTrust(settings: Settings): Check {
  if (isTrustedWorkspace(settings)) return pass("trust", "hooks may give its notes to agents");
  const fix = "If you know who wrote its notes, run `longhand trust`.";
  return pass("trust", "not trusted: hooks give agents none of its notes, and tools say so", fix);
}

/** A missing one is only reported if the configuration says where it should be. */
function checkUserLayer({ userLayer, origins }: Settings, status: MemoryStatus | null): Check[] {
  if (userLayer === null || userLayer.isWorkspace || status === null) return [];
  const { dir } = userLayer;
  const beside = status.userLayer;
  if (beside === undefined) {
    if ((origins.get("layers.user.path")?.from ?? "default") === "default") return [];
    return [fail("user memory", `${dir} does not exist`, "Create it with `longhand add --scope user TEXT`.")];
  }
  if (beside.problem !== undefined)
    return [
      fail("user memory", `${dir}: ${beside.problem}`, `Look at it with: longhand --workspace ${dir} doctor`),
    ];
  const why = whyUnwritable(dir);
  if (why !== null)
    return [
      fail("user memory", `${dir} can be searched, but not written to (${why})`, `Make ${dir} writable.`),
    ];
  return [pass("user memory", `${dir}, searched beside the project: ${countOf(beside.files, "file")}`)];
}

function nameUnadopted({ dir, files, isComplete }: Unadopted): { detail: string; fix: string } {
  const count = `${isComplete ? "" : "more than "}${countOf(files, "Markdown file")}`;
  return {
    detail: `${count} in ${dir} ${files === 1 && isComplete ? "is" : "are"} not part of this memory`,
    fix: `If ${files === 1 ? "it is a note" : "they are notes"}, run \`longhand adopt\` in ${dir}.`,
  };
}

function nameReasons(skipped: readonly SkippedEntry[]): string {
  if (skipped.length === 0) return "";
  const groups = Map.groupBy(skipped, ({ reason }) => reason);
  return `; left out: ${[...groups].map(([reason, entries]) => `${entries.length} ${reason}`).join(", ")}`;
}

const maxNamed = 8;

/**
 * Content that should not stay in notes: likely secrets (location and kind, never the secret) and conflict markers of a
 * merge, which are left out if there are none.
 */
export const checkContents: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined || status instanceof LonghandError) return [];
  const found: Findings = { secrets: [], conflicts: [] };
  for (const { path } of await memory.listNotes()) await findIn(memory, path, found);
  const { secrets, conflicts } = found;
  return compact([
    secrets.length === 0
      ? pass("secrets", "no note holds what looks like a secret")
      : fail(
          "secrets",
          `${secrets.length} likely in notes: ${nameSome(secrets, maxNamed)}`,
          "Keep them elsewhere, remove them with `longhand forget`, and replace them where they are used.",
        ),
    conflicts.length > 0 &&
      fail(
        "conflicts",
        `a merge left conflict markers in ${nameSome(conflicts, maxNamed)}`,
        "Edit these lines: keep one version or both, and delete the lines with <<<<<<<, ======= and >>>>>>>.",
      ),
  ]);
};

interface Findings {
  readonly secrets: string[];
  readonly conflicts: string[];
}

/** Reads a note in chunks. Another check reports a note that cannot be read. */
async function findIn(memory: Memory, relPath: string, { secrets, conflicts }: Findings): Promise<void> {
  try {
    for (let from: number | undefined = 1; from !== undefined; ) {
      const { text, nextFrom } = await memory.readFile({ relPath, from, lines: 100_000 });
      const place = (line: number): string => `${relPath}:${from! + line - 1}`;
      const { found } = await redactInSlices(text);
      secrets.push(...found.map(({ kind, line }) => `${place(line)} ${kind}`));
      const conflict = findConflict(text);
      if (conflict !== null) conflicts.push(place(conflict));
      from = nextFrom;
    }
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
  }
}

/** The line of the first complete conflict outside code: a note may explain what conflicts look like. */
function findConflict(text: string): number | null {
  let start: number | null = null;
  let isSplit = false;
  let isCode = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (start === null && /^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) continue;
    if (/^<{7}\s/.test(line)) [start, isSplit] = [index + 1, false];
    else if (/^={7}\s*$/.test(line)) isSplit = start !== null;
    else if (isSplit && /^>{7}(?:\s|$)/.test(line)) return start;
  }
  return null;
}

/** Whether an apply or undo was interrupted and not yet finished. Left out if none was. */
export const checkConsolidation: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined || status instanceof LonghandError) return [];
  if (status.pendingRecoveries.length > 0) return status.pendingRecoveries.map(describePending);
  const [newest] = await memory.consolidation.receipts();
  if (newest?.state !== "interrupted") return [];
  const notes = nameSome(newest.notes.map(({ path }) => path));
  return [
    pass(
      "consolidation",
      `receipt ${newest.id} was interrupted, and a note was edited before it could be rolled back: ${notes}`,
      "No line is lost, but some may be in two notes. `longhand consolidate --receipts --json` shows each line before and after.",
    ),
  ];
};

function describePending({ doing, notes, problem, hint }: MemoryStatus["pendingRecoveries"][number]): Check {
  const what =
    doing === "undo"
      ? "an undo was interrupted and cannot be finished"
      : "an apply was interrupted and cannot be rolled back";
  return fail("consolidation", `${what} (${nameSome(notes) || "unknown notes"}): ${problem}`, hint);
}
