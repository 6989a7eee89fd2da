import assert from "node:assert/strict";
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { skipReplacingOpenFiles } from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { monotonicMs } from "../timing.ts";
import { type AppendStep, appendEntry, prepareEntry } from "./append.ts";
import { cutOff, isRecent, keepsHolding, readFromServer, refuseWriting } from "./append-file.ts";
import { maxNoteBytes } from "./read.ts";

const location = (folder: TemporaryFolder) => ({
  path: "memory/a.md",
  root: folder.at("ws"),
  relative: "memory/a.md",
  isWritable: true,
});

test("a note is truncated through a second descriptor where the first one does not allow it", {
  skip: skipReplacingOpenFiles,
}, (t) => {
  const folder = makeTemporaryFolder(t, {
    "ws/memory/a.md": "- old\n- new\n",
    "ws/memory/b.md": "- other\n",
  });
  const file = folder.at("ws/memory/a.md");
  const fd = openSync(file, "r");
  try {
    assert.equal(cutOff({ fd }, location(folder), 6), true);
    assert.equal(readFileSync(file, "utf8"), "- old\n");
    renameSync(folder.at("ws/memory/b.md"), file);
    assert.equal(cutOff({ fd }, location(folder), 0), false);
    assert.equal(readFileSync(file, "utf8"), "- other\n");
    renameSync(file, folder.at("ws/memory/b.md"));
    assert.equal(cutOff({ fd }, location(folder), 0), false);
  } finally {
    closeSync(fd);
  }
});

test("bytes from the server are read up to the limit, and nothing stays open", {
  skip: process.platform !== "linux" && "only Linux bypasses its cache",
}, (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "0123456789" });
  const read = (file: string, limit: number): string => {
    const fd = openSync(file, "r");
    try {
      return readFromServer({ fd }, limit).toString();
    } finally {
      closeSync(fd);
    }
  };
  const before = readdirSync("/proc/self/fd").length;
  assert.equal(read(folder.at("a.md"), 100), "0123456789");
  // The kernel's pseudo file systems do not support direct reads.
  assert.equal(read("/proc/version", 10_000), readFileSync("/proc/version", "utf8"));
  assert.equal(read("/proc/version", 5), readFileSync("/proc/version", "utf8").slice(0, 5));
  assert.equal(readdirSync("/proc/self/fd").length, before);
});

test("a file is recent for a second after its creation, even by a clock that is ahead", () => {
  const ages = [0, 500, 2000, -500, -2000];
  const recent = ages.filter((age) =>
    isRecent({ birthtimeMs: BigInt(Date.now() - age) } as Parameters<typeof isRecent>[0]),
  );
  assert.deepEqual(recent, [0, 500, -500]);
});

test("a condition is polled for 50 ms, or until it no longer holds", () => {
  const startedAt = monotonicMs();
  let checks = 0;
  const holds = () => ++checks > 0;
  assert.equal(keepsHolding(holds), true);
  assert.ok(monotonicMs() - startedAt >= 50);
  assert.ok(checks > 1 && checks <= 60, String(checks));
  let left = 3;
  assert.equal(
    keepsHolding(() => left-- > 0),
    false,
  );
  assert.equal(left, -1);
});

test("a new note is watched for a moment, because a program may be saving it", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  if (statSync(folder.at("ws/memory/a.md")).birthtimeMs < Date.now() - 60_000)
    return t.skip("the file system does not say when a file was created");
  const startedAt = monotonicMs();
  appendEntry(location(folder), prepareEntry({ text: "new" }));
  assert.ok(monotonicMs() - startedAt >= 50);
});

test("an error of the system keeps its code, and has a hint and whether it can be retried", () => {
  const outcomes = Object.fromEntries(
    ["ENOSPC", "EDQUOT", "EBUSY", "EROFS", "EACCES", "EPERM", "EIO", "ENAMETOOLONG", "EMFILE"].map((code) => {
      const error = refuseWriting("memory/a.md", Object.assign(new Error(code), { code, syscall: "write" }));
      assert.ok(error instanceof LonghandError);
      assert.equal(error.message, `memory/a.md cannot be written: the system says ${code}.`);
      return [code, `${error.retryable ? "retry: " : ""}${error.hint.split(/[,.]/)[0]}`];
    }),
  );
  assert.deepEqual(outcomes, {
    ENOSPC: "retry: The disk is full",
    EDQUOT: "retry: Your share of the disk is used up",
    EBUSY: "retry: Another program has the note open",
    EROFS: "The disk is read-only",
    EACCES: "Give yourself the right to write to the note and its folder",
    EPERM: "Give yourself the right to write to the note and its folder",
    EIO: "The disk reports an error",
    ENAMETOOLONG: "Choose a shorter name for the note",
    EMFILE: "Check the disk and the permissions of the folder",
  });
  const other = new TypeError("a mistake");
  assert.equal(refuseWriting("memory/a.md", other), other);
});

test("a note may grow to its maximum size and not a byte beyond", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "" });
  const file = folder.at("ws/memory/a.md");
  const addition = "\n- x\n";
  const fill = (sizeBytes: number) => folder.write("ws/memory/a.md", Buffer.alloc(sizeBytes, "b"));
  // The last line has no line end, so the entry begins with one.
  fill(maxNoteBytes - addition.length - 1);
  appendEntry(location(folder), prepareEntry({ text: "x" }));
  assert.equal(statSync(file).size, maxNoteBytes);
  fill(maxNoteBytes - addition.length);
  assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "x" })), {
    code: "note-too-large",
    message: /would have 16\.1 MiB/,
  });
  assert.equal(statSync(file).size, maxNoteBytes - addition.length);
});

test("an entry that is already in a full note is found", (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write(
    "ws/memory/a.md",
    Buffer.concat([Buffer.alloc(maxNoteBytes - 5, "a\n"), Buffer.from("\n- x\n")]),
  );
  assert.equal(appendEntry(location(folder), prepareEntry({ text: "x" })).duplicate, true);
});

/** Saves as editors do: writes a new file and renames it over the old one. */
function saveByRename(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

test("an append stops retrying against a program that saves again and again what it has just read", {
  skip: skipReplacingOpenFiles,
}, (t) => {
  for (const [before, duplicate] of [
    ["- old\n", false],
    ["- old\n- new\n", true],
  ] as const) {
    const folder = makeTemporaryFolder(t, { "ws/memory/a.md": before });
    const file = folder.at("ws/memory/a.md");
    const steps: AppendStep[] = [];
    const result = appendEntry(location(folder), prepareEntry({ text: "new" }), {
      at: (step) => {
        steps.push(step);
        if (step !== "read") saveByRename(file, readFileSync(file, "utf8"));
      },
    });
    assert.deepEqual(result, { path: "memory/a.md", startLine: 2, endLine: 2, duplicate });
    assert.equal(readFileSync(file, "utf8"), "- old\n- new\n");
    const start = duplicate ? ["read", "synced"] : ["read", "written"];
    const next = ["read", "synced"];
    assert.deepEqual(steps, [...start, ...next, ...next, ...next, "read", "closed"]);
  }
});

test("an entry that was lost is not called durable before it is synced again", {
  skip: skipReplacingOpenFiles,
}, (t) => {
  for (const kept of ["written", "synced"] as const) {
    const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
    const file = folder.at("ws/memory/a.md");
    const steps: AppendStep[] = [];
    let attempt = 0;
    appendEntry(location(folder), prepareEntry({ text: "new" }), {
      at: (step) => {
        steps.push(step);
        if (step === "read") attempt++;
        else if (attempt < 5 && step === "written") saveByRename(file, "- old\n");
        else if (attempt === 5 && step === kept) saveByRename(file, "- old\n- new\n");
      },
    });
    const lost = Array.from({ length: 4 }, () => ["read", "written"]).flat();
    const after = kept === "written" ? ["written", "read", "synced"] : ["written", "synced", "read"];
    assert.deepEqual(steps, [...lost, "read", ...after, "closed"]);
  }
});

test("an existing empty note is kept when nothing can be written to it", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "" });
  const shared = {
    confirm: () => {
      throw new LonghandError("note-unwritable", "Lost.", { hint: "Try again." });
    },
  };
  assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "new" }), { shared }), {
    message: "Lost.",
  });
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
});

test("on a share an entry is found in a large note, among writes of others, and when it is a duplicate", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "a\n".repeat(4.5 * 2 ** 20) });
  const file = folder.at("ws/memory/a.md");
  const shared = { confirm: () => {} };
  const at = (step: AppendStep) => void (step === "read" && appendFileSync(file, "- other\n"));
  const startLine = 4.5 * 2 ** 20 + 3;
  const added = { path: "memory/a.md", startLine, endLine: startLine };
  assert.deepEqual(appendEntry(location(folder), prepareEntry({ text: "new" }), { shared, at }), {
    ...added,
    duplicate: false,
  });
  assert.deepEqual(appendEntry(location(folder), prepareEntry({ text: "new" }), { shared }), {
    ...added,
    duplicate: true,
  });
});

test("on a share a note that is deleted right after an append is created again", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  const file = folder.at("ws/memory/a.md");
  let left = 1;
  const at = (step: AppendStep) => void (step === "closed" && left-- > 0 && rmSync(file));
  const shared = { confirm: () => {} };
  appendEntry(location(folder), prepareEntry({ text: "new" }), { shared, at });
  assert.equal(readFileSync(file, "utf8"), "- new\n");
});
