import { LonghandError } from "../errors.ts";
import type { MemoryStatus } from "../memory/status.ts";
import { compact } from "../text/compact.ts";
import { countOf, formatCount } from "../text/count-of.ts";
import { type Check, type CheckGroup, fail, pass } from "./check.ts";

/** Whether the index opens, is intact, is writable, and is up to date. */
export const checkIndex: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined) return [];
  if (status instanceof LonghandError) return [fail("index", status.message, status.hint)];
  if (status.unavailable) return [fail("index", status.unavailable.message, status.unavailable.hint)];
  const faults = await memory.checkIndex();
  const { files, chunks, readOnly, quarantined } = status;
  const repair = "Run `longhand status --fix`.";
  return compact([
    faults.length > 0
      ? fail("index", `it is damaged: ${faults.join("; ").replaceAll("\n", "; ")}`, repair)
      : readOnly === undefined
        ? pass("index", `intact: ${countOf(files, "file")}, ${countOf(chunks, "chunk")}`)
        : fail(
            "index",
            `it is read-only: ${readOnly}`,
            status.dbPath.includes("://")
              ? "Name a server in store.url that takes changes, and a role that may make them."
              : `Make ${status.dbPath} and its folder writable, and see that the disk has room.`,
          ),
    checkFreshness(status),
    status.sharing && describeSharing(status.sharing),
    quarantined.length > 0 && describeQuarantined(quarantined),
    status.pendingPurges.length > 0 && describePending(status.pendingPurges),
  ]);
};

function checkFreshness({ lastSync, onDisk, dirty }: MemoryStatus): Check {
  const name = "freshness";
  const failed = lastSync?.failed ?? 0;
  const lost = onDisk.skipped.filter(({ reason }) => reason === "unreadable").length;
  if (failed > 0 && lost > 0) {
    return fail(name, `${countOf(failed, "note")} could not be indexed`, "See which with `longhand index`.");
  }
  if (!dirty) return pass(name, "the index is up to date");
  const what =
    onDisk.changed > 0
      ? `changed files that are not indexed yet: ${formatCount(onDisk.changed)}`
      : "some texts are not embedded yet";
  return pass(name, `${what}; the next search or \`longhand index\` brings them in`);
}

function describePending(pending: MemoryStatus["pendingPurges"]): Check {
  const notes = [...new Set(pending.flatMap((purge) => purge.notes))].join(", ");
  return fail(
    "forgetting",
    `a forget was interrupted, and the index may still hold the text (${notes || "unknown notes"})`,
    "Run `longhand index`, which finishes it.",
  );
}

function describeSharing({ at, problems }: NonNullable<MemoryStatus["sharing"]>): Check {
  const fix = "Give all checkouts the same notes (git pull), or give each its own index with --agent.";
  return fail("sharing", `${at.slice(0, 10)}: ${problems.join(" ")}`, fix);
}

function describeQuarantined(quarantined: readonly string[]): Check {
  const foreign = quarantined.find((path) => path.includes(".foreign-"));
  if (foreign !== undefined) {
    const detail = `an earlier longhand moved a database of another program to ${foreign}`;
    return pass("quarantined", detail, "Move it back to where that program looks for it.");
  }
  const kept = countOf(quarantined.length, "damaged index", "damaged indexes");
  const detail = `kept: ${kept}, the latest is ${quarantined.at(-1)}`;
  return pass("quarantined", detail, "Delete them if you do not need to inspect them.");
}

/** The program that answers searches instead of longhand itself: found, recent enough, answering. */
export const checkBackend: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError || status.qmd === undefined) return [];
  const { version, detail, problem, documents, answeredInMs } = status.qmd;
  if (problem !== undefined) {
    const fix =
      "Install it with: npm install -g @tobilu/qmd. Or name it in memory.qmd.command, " +
      'or set memory.backend to "builtin".';
    return [fail("qmd", `${problem}; the builtin engine answers`, fix)];
  }
  const answered =
    answeredInMs === undefined
      ? "nothing indexed yet"
      : `${documents} documents, answered in ${answeredInMs} ms`;
  return [pass("qmd", `version ${version}, ${detail}, ${answered}`)];
};

/** Semantic search: the embedder, whether it is the requested one, and possible improvements. */
export const checkEmbedder: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError) return [];
  const { provider, model, embedding, vector } = status;
  // The engine's own fallback is reported by the qmd check.
  const fallback = status.fallback?.from === status.qmd?.name ? undefined : status.fallback;
  const named = `${provider}${model === undefined ? "" : `, ${model}`} (${embedding.why})`;
  const chosen: Check =
    fallback === undefined
      ? pass("embedder", named)
      : fail(
          "embedder",
          `${named}; ${fallback.from} cannot be used: ${fallback.reason}`,
          `See whether ${fallback.from} answers with \`longhand status --deep\`; give it what it lacks, or set memorySearch.provider to another.`,
        );
  const [problem] = embedding.problems;
  const { better, unused } = embedding;
  return compact([
    chosen,
    problem !== undefined &&
      fail("embedding", problem, "See whether it answers with `longhand status --deep`."),
    vector.loadError !== undefined &&
      fallback === undefined &&
      fail(
        "vector path",
        `the builtin one is used: ${vector.loadError}`,
        status.dbPath.includes("://")
          ? "Add pgvector to the database (docs/scaling.md), or leave it as it is while there are few notes."
          : "Correct store.vector.extensionPath, or remove it.",
      ),
    better !== undefined &&
      pass("better vectors", better, "Optional: `longhand models install`, or name a service."),
    unused &&
      pass(
        "unused services",
        `${unused.found.join(", ")}: set but not used, nothing is sent`,
        `Optional. ${unused.advice}`,
      ),
  ]);
};

/** The entries plugin: its file can be read, its package is installed, its index can be used. */
export const checkEntries: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError || status.entries === undefined) return [];
  const { entries, indexed, problem } = status.entries;
  if (problem !== undefined) {
    return [fail("entries", problem, 'Repair that, or set plugins.slots.memory to "memory-core".')];
  }
  const compared =
    indexed === null
      ? "found by keyword search only: there is no embedder"
      : `${indexed} of them indexed; the rest with the next call`;
  return [pass("entries", entries === 0 ? "no facts yet" : `facts: ${entries}, ${compared}`)];
};
