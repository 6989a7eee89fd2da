import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { lackOf } from "../../test/faults/programs.ts";
import { finish, firstOutput, startProgram, whileRunning } from "../../test/support/child-process.ts";
import { asOrdinaryUser } from "../../test/support/ordinary-user.ts";
import {
  ignoresCase,
  skipReplacingOpenFiles,
  skipWithoutLinks,
  skipWithoutModes,
  skipWithoutPipes,
} from "../../test/support/platform.ts";
import { swapperSource } from "../../test/support/swapper.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { withFileLock } from "../stores/lock.ts";
import { type AppendStep, appendEntry, prepareEntry } from "./append.ts";
import { cutOff, openForAppend, removeIfEmpty } from "./append-file.ts";
import { type AppendRequest, type NotesOptions, openNotes } from "./notes.ts";

const notesUrl = new URL("./notes.ts", import.meta.url).href;
const lockUrl = new URL("../stores/lock.ts", import.meta.url).href;

function openWorkspace(folder: TemporaryFolder, options: Partial<NotesOptions> = {}) {
  folder.makeFolder("ws");
  return openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    now: () => new Date("2026-03-01T12:34:56Z"),
    withLock: (work, { signal }) => withFileLock(folder.at("state/notes.lock"), { signal }, work),
    ...options,
  });
}

function linesAt(folder: TemporaryFolder, path: string, startLine: number, endLine: number): string {
  const lines = readFileSync(folder.at(`ws/${path}`), "utf8").split(/\r?\n/);
  return lines.slice(startLine - 1, endLine).join("\n");
}

/** Appends and checks that the lines it names hold the text. */
async function add(
  t: TestContext,
  files: Record<string, string>,
  request: AppendRequest,
  options?: Partial<NotesOptions>,
) {
  const folder = makeTemporaryFolder(t, files);
  const result = await openWorkspace(folder, options).append(request);
  const text = linesAt(folder, result.path, result.startLine, result.endLine);
  assert.ok(text.includes(request.text.trim().split("\n")[0]!), text);
  return { ...result, note: readFileSync(folder.at(`ws/${result.path}`), "utf8") };
}

test("an entry goes to the note of the day, which is created with its folder", async (t) => {
  assert.deepEqual(await add(t, {}, { text: "We ship on Fridays." }), {
    path: "memory/2026-03-01.md",
    startLine: 3,
    endLine: 3,
    duplicate: false,
    note: "# 2026-03-01\n\n- We ship on Fridays.\n",
  });
});

test("the day is the user's day, read inside the lock", async (t) => {
  const now = () => new Date("2026-03-01T23:30:00Z");
  assert.equal(
    (await add(t, {}, { text: "x" }, { now, timezone: "Asia/Tokyo" })).path,
    "memory/2026-03-02.md",
  );
  assert.equal(
    (await add(t, {}, { text: "x" }, { now, timezone: "America/New_York" })).path,
    "memory/2026-03-01.md",
  );
  let moment = new Date("2026-03-01T23:59:59Z");
  const crossing = await add(
    t,
    {},
    { text: "x" },
    {
      now: () => moment,
      withLock: async (work) => {
        moment = new Date("2026-03-02T00:00:01Z");
        return work();
      },
    },
  );
  assert.equal(crossing.path, "memory/2026-03-02.md");
  await assert.rejects(add(t, {}, { text: "x" }, { timezone: "Mars/Olympus" }), { code: "config-invalid" });
});

test("long-term entries go to MEMORY.md, or to memory.md where only that exists", async (t) => {
  const request = { text: "x", to: "long-term" };
  assert.deepEqual((await add(t, {}, request)).note, "# Memory\n\n- x\n");
  // On a case-insensitive file system they are one file.
  const only = ignoresCase ? "MEMORY.md" : "memory.md";
  assert.equal((await add(t, { "ws/memory.md": "# M\n" }, request)).path, only);
  assert.equal((await add(t, { "ws/memory.md": "", "ws/MEMORY.md": "" }, request)).path, "MEMORY.md");
});

test("a note of the workspace can be named, and its folders are created", async (t) => {
  const result = await add(
    t,
    {},
    { text: "one\ntwo", to: "memory/projects/a/b.md", heading: "Plan", origin: "cli" },
  );
  assert.deepEqual([result.startLine, result.endLine], [3, 5]);
  assert.equal(result.note, "## Plan\n\n<!-- from: cli 12:34 -->\none\ntwo\n");
});

test("the lines are exact in notes with CRLF, a byte-order mark, or no final line end", async (t) => {
  const to = "memory/a.md";
  const cases: [string, number][] = [
    ["a\r\nb\r\n", 4],
    ["\ufeffa\nb", 4],
    ["- a\n- b", 3],
    ["a\rb\u2028c\n\n", 3],
    ["", 1],
  ];
  for (const [content, line] of cases) {
    assert.equal(
      (await add(t, { "ws/memory/a.md": content }, { text: "new", to })).startLine,
      line,
      JSON.stringify(content),
    );
  }
});

test("the same entry is not written twice and its lines are reported", async (t) => {
  const folder = makeTemporaryFolder(t);
  const notes = openWorkspace(folder);
  await notes.append({ text: "First." });
  const once = await notes.append({ text: "We ship on Fridays.", origin: "cli" });
  const before = readFileSync(folder.at("ws/memory/2026-03-01.md"), "utf8");
  assert.deepEqual(await notes.append({ text: " * We  ship on Fridays. " }), { ...once, duplicate: true });
  assert.equal(readFileSync(folder.at("ws/memory/2026-03-01.md"), "utf8"), before);
});

test("entries that cannot be kept are refused before anything is touched", async (t) => {
  const folder = makeTemporaryFolder(t);
  const notes = openWorkspace(folder);
  for (const text of ["", "  \n", "a\0b", "x".repeat(70_000)]) {
    await assert.rejects(notes.append({ text }), { code: "entry-invalid" });
  }
  assert.deepEqual(readdirSync(folder.at("ws")), []);
});

test("nothing is written outside the workspace's own notes", async (t) => {
  const folder = makeTemporaryFolder(t, {
    "out/a.md": "out",
    "ws/docs/a.md": "docs",
    "ws/README.md": "readme",
  });
  const notes = openWorkspace(folder, {
    extraPaths: [folder.at("out"), "docs"],
    exclude: ["memory/private/"],
  });
  const targets = [
    "../out/a.md",
    folder.at("out/a.md"),
    "extra/0/a.md",
    "docs/a.md",
    "docs/new.md",
    "README.md",
  ];
  for (const to of [
    ...targets,
    "notes.md",
    "memory/a.txt",
    "memory/.a.md",
    "memory/private/a.md",
    "",
    "Daily",
  ]) {
    await assert.rejects(notes.append({ text: "x", to }), { code: "path-outside-memory" }, to);
  }
  assert.equal(readFileSync(folder.at("out/a.md"), "utf8"), "out");
  assert.deepEqual(readdirSync(folder.at("ws")).sort(), ["README.md", "docs"]);
});

test("nothing is written through a symlink, and nothing is created behind one", {
  skip: skipWithoutLinks,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "out/a.md": "out", "ws/memory/b.md": "b" });
  symlinkSync(folder.at("out"), folder.at("ws/memory/linked"));
  symlinkSync(folder.at("out/a.md"), folder.at("ws/memory/a.md"));
  symlinkSync(folder.at("out/new.md"), folder.at("ws/memory/2026-03-01.md"));
  symlinkSync(folder.at("out/long.md"), folder.at("ws/MEMORY.md"));
  const notes = openWorkspace(folder);
  for (const to of ["memory/linked/a.md", "memory/linked/new/b.md", "memory/a.md", "daily", "long-term"]) {
    await assert.rejects(notes.append({ text: "x", to }), { code: "path-outside-memory" }, to);
  }
  assert.deepEqual(readdirSync(folder.at("out")), ["a.md"]);
  assert.equal(readFileSync(folder.at("out/a.md"), "utf8"), "out");
});

test("a target that is a folder, a FIFO, binary or full is refused", {
  skip: skipWithoutPipes,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/file.md": "", "ws/memory/large.md": "" });
  const notes = openWorkspace(folder);
  mkdirSync(folder.at("ws/memory/x.md"));
  execFileSync("mkfifo", [folder.at("ws/memory/y.md")]);
  folder.write("ws/memory/binary.md", Buffer.from([1, 0, 2]));
  truncateSync(folder.at("ws/memory/large.md"), 17 * 1024 * 1024);
  folder.write("ws/memory/full.md", Buffer.alloc(16 * 1024 * 1024, "a\n"));
  const cases: [string, string][] = [
    ["x.md", "note-unreadable"],
    ["y.md", "note-unreadable"],
    ["binary.md", "note-binary"],
    ["large.md", "note-too-large"],
    ["full.md", "note-too-large"],
    ["file.md/inner.md", "path-outside-memory"],
    [`${"n".repeat(300)}.md`, "note-unwritable"],
  ];
  for (const [name, code] of cases) {
    await assert.rejects(notes.append({ text: "x", to: `memory/${name}` }), { code }, name);
  }
  await assert.rejects(notes.append({ text: "x", to: "memory/large.md" }), {
    message: "memory/large.md has 17 MiB; a note may have 16 MiB.",
  });
  await assert.rejects(notes.append({ text: "x", to: "memory/full.md" }), {
    message: /full\.md would have 16\.1 MiB/,
  });
});

test("a note or folder that may not be written to says so", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "kept\n" });
  // The lock needs a place that an ordinary user may write to; here only the notes are closed.
  const notes = openWorkspace(folder, { withLock: async (work) => work() });
  chmodSync(folder.dir, 0o755);
  chmodSync(folder.at("ws/memory/a.md"), 0o444);
  await asOrdinaryUser(async () => {
    for (const to of ["memory/a.md", "memory/new.md", "memory/new/deep.md"]) {
      await assert.rejects(
        notes.append({ text: "x", to }),
        { code: "note-unwritable", message: /EACCES/ },
        to,
      );
    }
  });
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "kept\n");
});

test("a workspace that is missing is an error", async (t) => {
  const notes = openWorkspace(makeTemporaryFolder(t), { workspaceDir: "/nowhere/at/all" });
  await assert.rejects(notes.append({ text: "x" }), { code: "workspace-missing" });
});

test("a cancelled call writes nothing", async (t) => {
  const folder = makeTemporaryFolder(t);
  await assert.rejects(openWorkspace(folder).append({ text: "x", signal: AbortSignal.abort() }), {
    code: "aborted",
  });
  assert.deepEqual(readdirSync(folder.at("ws")), []);
});

test("calls in one process run in order, and a failed one does not stop the next", async (t) => {
  const folder = makeTemporaryFolder(t);
  const notes = openWorkspace(folder);
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const results = await Promise.allSettled(
    numbers.map((number) =>
      notes.append({ text: `entry ${number}`, to: number === 7 ? "../x.md" : "daily" }),
    ),
  );
  assert.deepEqual(
    results.flatMap(({ status }, index) => (status === "rejected" ? [index] : [])),
    [7],
  );
  const expected = numbers.filter((number) => number !== 7).map((number) => `- entry ${number}\n`);
  assert.equal(
    readFileSync(folder.at("ws/memory/2026-03-01.md"), "utf8"),
    `# 2026-03-01\n\n${expected.join("")}`,
  );
});

test("a write that the disk takes only in part is undone and reported", {
  skip: process.platform !== "linux" && "needs a limit on the size of files",
}, async (t) => {
  const content = `${"k".repeat(1000)}\n`;
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": content });
  const source = `
    import { openNotes } from ${JSON.stringify(notesUrl)};
    const notes = openNotes({ workspaceDir: process.argv[1], extraPaths: [], exclude: [], timezone: "UTC",
      withLock: async (work) => work() });
    try {
      await notes.append({ text: "x".repeat(5000), to: "memory/new.md" }).catch(() => {});
      await notes.append({ text: "x".repeat(5000), to: "memory/a.md" });
    } catch ({ code, message, retryable }) {
      process.stdout.write(JSON.stringify({ code, message, retryable }));
    }`;
  // A file size limit makes the kernel write only what fits, as a full disk does.
  const script = 'ulimit -f 2; exec "$0" --input-type=module-typescript -e "$1" -- "$2"';
  const child = spawn("bash", ["-c", script, process.execPath, source, folder.at("ws")]);
  const { stdout, stderr } = await finish(child);
  assert.match(stdout, /note-unwritable/, stderr);
  const { code, message, retryable } = JSON.parse(stdout);
  assert.deepEqual([code, retryable], ["note-unwritable", true]);
  assert.match(message, /only 10\d\d of 5004 bytes could be written\. The note is as it was before\./);
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), content);
  assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"], "no empty note is left");
});

const writerSource = `
  import { writeSync } from "node:fs";
  import { openNotes } from ${JSON.stringify(notesUrl)};
  import { withFileLock } from ${JSON.stringify(lockUrl)};
  const [workspaceDir, lockPath, name, count] = process.argv.slice(1);
  const notes = openNotes({ workspaceDir, extraPaths: [], exclude: [], timezone: "UTC",
    now: () => new Date("2026-03-01T12:00:00Z"),
    withLock: (work, { signal }) => withFileLock(lockPath, { signal }, work) });
  for (let number = 0; number < Number(count); number++) {
    const text = name + " " + number + " " + "x".repeat(number % 7 === 0 ? 20_000 : 20) + " end";
    const { startLine } = await notes.append({ text });
    writeSync(1, name + " " + number + " " + startLine + "\\n");
  }`;

test("eight processes that append at once lose nothing, tear no entry and report the right lines", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.makeFolder("ws");
  const count = 15;
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      finish(
        startProgram(t, writerSource, [folder.at("ws"), folder.at("lock"), `w${writer}`, String(count)]),
      ),
    ),
  );
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  const lines = readFileSync(folder.at("ws/memory/2026-03-01.md"), "utf8").split("\n");
  assert.deepEqual([lines[0], lines[1], lines.at(-1)], ["# 2026-03-01", "", ""]);
  assert.equal(lines.length, 2 + 8 * count + 1);
  for (const { stdout } of results) {
    const acknowledged = stdout.trim().split("\n");
    assert.equal(acknowledged.length, count);
    for (const each of acknowledged) {
      const [name, number, line] = each.split(" ");
      assert.match(lines[Number(line) - 1]!, new RegExp(`^- ${name} ${number} x+ end$`));
    }
  }
});

test("entries acknowledged before a kill are complete, and the next writer continues", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.makeFolder("ws");
  for (let round = 0; round < 4; round++) {
    const writer = startProgram(t, writerSource, [folder.at("ws"), folder.at("lock"), `r${round}`, "1000"]);
    let printed = "";
    writer.stdout?.on("data", (data) => {
      printed += data;
    });
    await firstOutput(writer);
    // Killed in the middle of its work, at a different point each time.
    while (printed.split("\n").length < 3 + round * 4) await firstOutput(writer);
    writer.kill("SIGKILL");
    await finish(writer);
    const lines = readFileSync(folder.at("ws/memory/2026-03-01.md"), "utf8").split("\n");
    assert.equal(lines.at(-1), "");
    for (const line of lines.slice(2, -1)) assert.match(line, /^- r\d \d+ x+ end$/);
    for (const each of printed.split("\n").slice(0, -1)) {
      const [name, number, line] = each.split(" ");
      assert.ok(lines[Number(line) - 1]?.startsWith(`- ${name} ${number} `), each);
    }
  }
});

test("a program that appends without the lock loses nothing, either", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/2026-03-01.md": "# 2026-03-01\n" });
  const file = folder.at("ws/memory/2026-03-01.md");
  const stranger = startProgram(
    t,
    `import { appendFileSync, writeSync } from "node:fs";
     writeSync(1, "ready");
     for (let n = 0; n < 300; n++) appendFileSync(process.argv[1], "stranger " + n + "\\n");`,
    [file],
  );
  const ended = finish(stranger);
  await firstOutput(stranger);
  const notes = openWorkspace(folder);
  const added: { startLine: number; text: string }[] = [];
  for (let number = 0; number < 30; number++) {
    const text = `ours ${number}`;
    added.push({ text, startLine: (await notes.append({ text })).startLine });
  }
  await ended;
  const lines = readFileSync(file, "utf8").split("\n");
  for (const { text, startLine } of added) assert.equal(lines[startLine - 1], `- ${text}`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith("stranger")),
    Array.from({ length: 300 }, (_, n) => `stranger ${n}`),
  );
});

const location = (folder: TemporaryFolder) => ({
  path: "memory/a.md",
  root: folder.at("ws"),
  relative: "memory/a.md",
  isWritable: true,
});

/** Saves as editors do: writes a new file and renames it over the old one. */
function saveByRename(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

test("an entry is in the note though a program saves it by rename at any moment", {
  skip: skipReplacingOpenFiles,
}, async (t) => {
  const steps = ["read", "written", "synced"] as const;
  /** What the other program saves: the note as it was before the entry, or with it. */
  const reads = ["before", "just now"] as const;
  for (const step of steps) {
    for (const read of reads) {
      for (const times of [1, 3, 10]) {
        const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
        const file = folder.at("ws/memory/a.md");
        let left = times;
        const result = appendEntry(location(folder), prepareEntry({ text: "new" }), {
          at: (now) => {
            if (now !== step || left-- <= 0) return;
            saveByRename(
              file,
              `${read === "before" ? "- old\n" : readFileSync(file, "utf8")}- save ${left}\n`,
            );
          },
        });
        const lines = readFileSync(file, "utf8").split("\n");
        const when = `${step}, ${read}, ${times} times: ${lines.join("|")}`;
        assert.deepEqual(lines.filter((line) => line === "- new").length, 1, when);
        assert.equal(lines[result.startLine - 1], "- new", when);
        assert.equal(result.duplicate, false, when);
        assert.ok(
          lines.some((line) => line.startsWith("- save")),
          when,
        );
      }
    }
  }
});

test("the lines of an entry are right even if another program wrote right before it", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  const file = folder.at("ws/memory/a.md");
  const result = appendEntry(location(folder), prepareEntry({ text: "new" }), {
    at: (step) => void (step === "read" && appendFileSync(file, "- other\n- third\n")),
  });
  assert.equal(readFileSync(file, "utf8"), "- old\n- other\n- third\n- new\n");
  assert.deepEqual(result, { path: "memory/a.md", startLine: 4, endLine: 4, duplicate: false });
});

test("an entry that a save copied in part is completed", { skip: skipReplacingOpenFiles }, async (t) => {
  const whole = "- old\n\none\ntwo\nthree\n";
  for (const copied of Array.from(whole, (_, length) => length).slice("- old\n".length)) {
    const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
    const file = folder.at("ws/memory/a.md");
    let isSaved = false;
    const result = appendEntry(location(folder), prepareEntry({ text: "one\ntwo\nthree" }), {
      at: (step) => {
        if (step !== "written" || isSaved) return;
        isSaved = true;
        saveByRename(file, readFileSync(file, "utf8").slice(0, copied));
      },
    });
    assert.equal(readFileSync(file, "utf8"), whole);
    assert.deepEqual(result, { path: "memory/a.md", startLine: 3, endLine: 5, duplicate: false });
  }
});

test("an entry that is removed at once, each time, is not acknowledged", {
  skip: skipReplacingOpenFiles,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  const file = folder.at("ws/memory/a.md");
  for (const step of ["written", "synced"] as const) {
    const undo = (now: AppendStep) => void (now === step && saveByRename(file, "- old\n"));
    assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "new" }), { at: undo }), {
      code: "entry-unconfirmed",
      message: /may or may not be there/,
      retryable: true,
    });
    const rewrite = (now: AppendStep) => void (now === step && writeFileSync(file, "- old\n"));
    assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "new" }), { at: rewrite }), {
      code: "entry-unconfirmed",
    });
  }
  assert.equal(readFileSync(file, "utf8"), "- old\n");
});

test("an entry that was written and could not be verified is not reported as missing", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  for (const failing of ["written", "synced"] as const) {
    const at = (step: AppendStep) => {
      if (step === failing) throw Object.assign(new Error("i/o error"), { code: "EIO" });
    };
    const text = `new, ${failing}`;
    assert.throws(() => appendEntry(location(folder), prepareEntry({ text }), { at }), {
      code: "entry-unconfirmed",
      message: /the system says EIO\. It may or may not be there/,
    });
    assert.ok(readFileSync(folder.at("ws/memory/a.md"), "utf8").endsWith(`- ${text}\n`));
  }
  const at = (step: AppendStep) => {
    if (step === "read") throw Object.assign(new Error("i/o error"), { code: "EIO" });
  };
  assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "other" }), { at }), {
    code: "note-unwritable",
  });
});

suite("Where other machines write to the notes too", () => {
  const held = { confirm: () => {} };
  const openFixture = (t: TestContext) => makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });

  test("an entry that is not there when the note is opened again is written again", (t) => {
    const folder = openFixture(t);
    const file = folder.at("ws/memory/a.md");
    let losses = 2;
    const result = appendEntry(location(folder), prepareEntry({ text: "new" }), {
      shared: held,
      at: (step) => void (step === "closed" && losses-- > 0 && writeFileSync(file, "- old\n- other\n")),
    });
    assert.equal(readFileSync(file, "utf8"), "- old\n- other\n- new\n");
    assert.deepEqual(result, { path: "memory/a.md", startLine: 3, endLine: 3, duplicate: false });
  });

  test("an entry that gets lost each time is not acknowledged", (t) => {
    const folder = openFixture(t);
    const at = (step: AppendStep) =>
      void (step === "closed" && writeFileSync(folder.at("ws/memory/a.md"), "- old\n"));
    assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "new" }), { shared: held, at }), {
      code: "entry-unconfirmed",
      retryable: true,
    });
  });

  test("nothing is written once the lock is lost", (t) => {
    const folder = openFixture(t);
    const lost = new LonghandError("note-unwritable", "Lost.", { hint: "Try again." });
    const shared = {
      confirm: () => {
        throw lost;
      },
    };
    assert.throws(() => appendEntry(location(folder), prepareEntry({ text: "new" }), { shared }), lost);
    assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "- old\n");
    const other = { ...location(folder), path: "memory/b.md", relative: "memory/b.md" };
    assert.throws(() => appendEntry(other, prepareEntry({ text: "new" }), { shared }), lost);
    assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"], "no empty note is left");
  });
});

test("a duplicate is written after all when a save removes the existing entry", {
  skip: skipReplacingOpenFiles,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n- new\n" });
  const file = folder.at("ws/memory/a.md");
  let isSaved = false;
  const result = appendEntry(location(folder), prepareEntry({ text: "new" }), {
    at: (step) => {
      if (step !== "synced" || isSaved) return;
      isSaved = true;
      saveByRename(file, "- old\n");
    },
  });
  assert.deepEqual([result.duplicate, result.startLine], [false, 2]);
  assert.equal(readFileSync(file, "utf8"), "- old\n- new\n");
});

test("an entry that could not be made durable is undone, so that a retry writes it again", {
  skip: lackOf("strace", ["-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=9999", "true"]) ?? false,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  const source = `
    import { openNotes } from ${JSON.stringify(notesUrl)};
    const notes = openNotes({ workspaceDir: process.argv[1], extraPaths: [], exclude: [], timezone: "UTC",
      withLock: async (work) => work() });
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await notes.append({ text: "new", to: "memory/a.md" }).catch(({ code, message }) => ({ code, message }));
      process.stdout.write(JSON.stringify(outcome) + "\\n");
    }`;
  const inject = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "trace=fdatasync",
    "-e",
    "inject=fdatasync:error=EIO:when=1",
  ];
  const child = spawn("strace", [
    ...[...inject, process.execPath, "--input-type=module-typescript", "-e", source, "--", folder.at("ws")],
  ]);
  const { stdout, stderr } = await finish(child);
  const [first, second] = stdout
    .split("\n")
    .slice(0, 2)
    .map((line) => JSON.parse(line)) as [{ code: string; message: string }, { duplicate: boolean }];
  assert.equal(first.code, "note-unwritable", stderr);
  assert.match(first.message, /EIO\. The note is as it was before/);
  assert.equal(second.duplicate, false);
  assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "- old\n- new\n");
});

test("an append can be undone by truncation, and only in the very file that was opened", (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "- old\n" });
  const note = openForAppend(location(folder))!;
  try {
    appendFileSync(note.fd, "- half an en");
    assert.equal(cutOff(note, location(folder), 6), true);
    assert.equal(readFileSync(folder.at("ws/memory/a.md"), "utf8"), "- old\n");
  } finally {
    closeSync(note.fd);
  }
});

test("a new note is removed again only while it is empty and still at its path", {
  skip: skipReplacingOpenFiles,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "" });
  folder.makeFolder("ws/memory");
  const path = folder.at("ws/memory/a.md");
  const note = openForAppend(location(folder))!;
  try {
    appendFileSync(note.fd, "- text");
    removeIfEmpty(location(folder), note);
    assert.equal(readFileSync(path, "utf8"), "- text");

    truncateSync(path, 0);
    renameSync(path, folder.at("ws/moved.md"));
    writeFileSync(path, "- by another program");
    removeIfEmpty(location(folder), note);
    assert.equal(readFileSync(path, "utf8"), "- by another program");

    renameSync(folder.at("ws/moved.md"), path);
    removeIfEmpty(location(folder), note);
    assert.equal(existsSync(path), false);
  } finally {
    closeSync(note.fd);
  }
});

test("a half line that another program left behind stays, and ours begins below it", async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "# Memory\n" });
  appendFileSync(folder.at("ws/MEMORY.md"), "torn li");
  const { startLine } = await openWorkspace(folder).append({ text: "whole", to: "long-term" });
  assert.equal(readFileSync(folder.at("ws/MEMORY.md"), "utf8"), "# Memory\ntorn li\n\n- whole\n");
  assert.equal(startLine, 4);
});

test("a folder swapped for a symlink while notes are added never sends anything outside", {
  skip: process.platform !== "linux" && "needs /proc",
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "ws/memory/sub/a.md": "", "out/kept.md": "kept" });
  const notes = openWorkspace(folder, { withLock: async (work) => work() });
  const written: string[] = [];
  let refused = 0;
  const argv = [folder.at("ws/memory/sub"), folder.at("out")];
  await whileRunning(t, { source: swapperSource, argv }, async () => {
    for (const endsAt = performance.now() + 1500; performance.now() < endsAt; ) {
      const text = `entry ${written.length + refused}`;
      try {
        await notes.append({ text, to: "memory/sub/a.md" });
        written.push(text);
      } catch (error) {
        assert.match(
          (error as { code: string }).code,
          /^(?:path-outside-memory|note-unreadable|note-unwritable|entry-unconfirmed)$/,
        );
        refused++;
      }
      assert.deepEqual(readdirSync(folder.at("out")), ["kept.md"]);
    }
  });
  t.diagnostic(`${written.length} written, ${refused} refused`);
  assert.equal(readFileSync(folder.at("out/kept.md"), "utf8"), "kept");
  assert.ok(existsSync(folder.at("ws/memory")));
});
