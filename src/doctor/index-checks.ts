import { LonghandError } from "../errors.ts";
import type { MemoryStatus } from "../memory/status.ts";
import { type Check, type CheckGroup, unwell, well } from "./check.ts";

/** The index opens, is sound, can be written, and is as new as the notes. */
export const checkIndex: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined) return [];
  if (status instanceof LonghandError) return [unwell("index", status.message, status.hint)];
  if (status.unavailable) return [unwell("index", status.unavailable.message, status.unavailable.hint)];
  const faults = await memory.checkIndex();
  const { files, chunks, readOnly, setAside } = status;
  const repair = "Run `longhand status --fix`.";
  return [
    faults.length > 0
      ? unwell("index", `it is damaged: ${faults.join("; ")}`, repair)
      : readOnly === undefined
        ? well(
            "index",
            `sound: ${files} ${files === 1 ? "file" : "files"}, ${chunks} ${chunks === 1 ? "chunk" : "chunks"}`,
          )
        : unwell(
            "index",
            `it can only be read: ${readOnly}`,
            status.dbPath.includes("://")
              ? "Name a server in store.url that takes changes, and a role that may make them."
              : `Make ${status.dbPath} and its folder writable, and see that the disk has room.`,
          ),
    checkFreshness(status),
    ...(status.sharing ? [describeSharing(status.sharing)] : []),
    ...(setAside.length === 0 ? [] : [describeSetAside(setAside)]),
    ...(status.owedPurges.length === 0 ? [] : [describeOwed(status.owedPurges)]),
  ];
};

function checkFreshness({ lastSync, onDisk, dirty }: MemoryStatus): Check {
  const name = "freshness";
  const failed = lastSync?.failed ?? 0;
  const lost = onDisk.skipped.filter(({ reason }) => reason === "unreadable").length;
  if (failed > 0 && lost > 0) {
    return unwell(name, `${failed} notes could not be indexed`, "See which with `longhand index`.");
  }
  if (!dirty) return well(name, "the index is up to date");
  const what =
    onDisk.changed > 0
      ? `changed files that are not indexed yet: ${onDisk.changed}`
      : "some texts are not embedded yet";
  return well(name, `${what}; the next search or \`longhand index\` brings them in`);
}

function describeOwed(owed: MemoryStatus["owedPurges"]): Check {
  const notes = [...new Set(owed.flatMap((purge) => purge.notes))].join(", ");
  return unwell(
    "forgetting",
    `a forget was interrupted, and the index may still hold the text (${notes || "notes that are not known"})`,
    "Run `longhand index`, which finishes it.",
  );
}

function describeSharing({ at, problems }: NonNullable<MemoryStatus["sharing"]>): Check {
  const fix = "Share the notes between the machines, or give each an agent of its own (agents.list[].id).";
  return unwell("sharing", `${at.slice(0, 10)}: ${problems.join(" ")}`, fix);
}

function describeSetAside(setAside: readonly string[]): Check {
  const foreign = setAside.find((path) => path.includes(".foreign-"));
  if (foreign !== undefined) {
    const detail = `an earlier longhand moved a database of another program to ${foreign}`;
    return well("quarantined", detail, "Move it back to where that program looks for it.");
  }
  const detail = `${setAside.length} damaged indexes are kept; the last is ${setAside.at(-1)}`;
  return well("quarantined", detail, "Delete them when you do not want to look into them.");
}
