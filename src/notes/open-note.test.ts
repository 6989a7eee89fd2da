import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { whileRunning } from "../../test/support/child-process.ts";
import {
  fuseKind,
  skipWithoutHardLinks,
  skipWithoutLinks,
  skipWithoutPipes,
} from "../../test/support/platform.ts";
import { swapperSource } from "../../test/support/swapper.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Location } from "./locate.ts";
import { lookAtPart, openNote, type Verify, verifyByDescriptor, verifyByWalk } from "./open-note.ts";

function locate(root: string, relative: string): Location {
  return { path: relative, root, relative, isWritable: true };
}

function readThrough(location: Location, verify?: Verify): string | null {
  const note = openNote(location, verify);
  if (note === null) return null;
  try {
    return readFileSync(note.fd, "utf8");
  } finally {
    closeSync(note.fd);
  }
}

const remembersNames = "its driver remembers for a second where a name led";

for (const [name, verify] of Object.entries({ verifyByDescriptor, verifyByWalk })) {
  const isSkipped = name === "verifyByDescriptor" && process.platform !== "linux" && "needs /proc";

  test(`${name}: a regular file is opened, a missing one is null`, { skip: isSkipped }, (t) => {
    const { dir } = makeTemporaryFolder(t, { "memory/a.md": "text" });
    assert.equal(readThrough(locate(dir, "memory/a.md"), verify), "text");
    for (const missing of ["memory/b.md", "none/b.md", "memory/a.md/b.md", `memory/${"x".repeat(300)}.md`]) {
      assert.equal(readThrough(locate(dir, missing), verify), null, missing);
    }
  });

  test(`${name}: symlinks below the root are refused wherever they lead`, {
    skip: isSkipped || skipWithoutLinks,
  }, (t) => {
    const folder = makeTemporaryFolder(t, {
      "ws/memory/a.md": "in",
      "ws/memory/sub/b.md": "in",
      "out/b.md": "out",
    });
    symlinkSync(folder.at("out/b.md"), folder.at("ws/memory/file.md"));
    symlinkSync("a.md", folder.at("ws/memory/near.md"));
    symlinkSync(folder.at("out"), folder.at("ws/memory/folder"));
    symlinkSync("sub", folder.at("ws/memory/beside"));
    symlinkSync("loop.md", folder.at("ws/memory/loop.md"));
    symlinkSync("/nowhere", folder.at("ws/memory/dangling.md"));
    const names = [
      "file.md",
      "near.md",
      "folder/b.md",
      "folder/none.md",
      "beside/b.md",
      "loop.md",
      "dangling.md",
    ];
    for (const each of names) {
      assert.throws(
        () => readThrough(locate(folder.at("ws"), `memory/${each}`), verify),
        { code: "path-outside-memory", message: /symlink/ },
        each,
      );
    }
  });

  test(`${name}: a hard link is opened, because it cannot be distinguished from the file`, {
    skip: isSkipped || skipWithoutHardLinks,
  }, (t) => {
    const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "text" });
    linkSync(folder.at("ws/memory/a.md"), folder.at("ws/memory/b.md"));
    assert.equal(readThrough(locate(folder.at("ws"), "memory/b.md"), verify), "text");
  });

  test(`${name}: a file of the same name elsewhere is not the one at the location`, {
    skip: isSkipped,
  }, (t) => {
    const folder = makeTemporaryFolder(t, { "ws/memory/a.md": "in", "out/ws/memory/a.md": "out" });
    const location = locate(folder.at("ws"), "memory/a.md");
    // The end of the other file's path, as if the memory were at the root of the disk.
    const short = locate(folder.at("out/ws").slice(folder.at("out").length), "memory/a.md");
    for (const [file, expected] of [
      ["ws/memory/a.md", true],
      ["out/ws/memory/a.md", false],
    ] as const) {
      const fd = openSync(folder.at(file), "r");
      const stats = fstatSync(fd, { bigint: true });
      const verified = [verify(fd, stats, location), verify(fd, stats, short)];
      // Before the folder is removed: on FUSE a folder with an open file cannot be.
      closeSync(fd);
      assert.deepEqual(verified, [expected, false], file);
    }
  });
}

test("a folder swapped for a symlink while it is read never leads outside", {
  // Elsewhere the path is walked; the test below counts how often that can be deceived.
  skip:
    (process.platform !== "linux" && "needs /proc") ||
    skipWithoutLinks ||
    (fuseKind === "ntfs" && remembersNames),
}, async (t) => {
  const { read, outside, refused } = await raceAgainstSwaps(t, verifyByDescriptor, 1000);
  t.diagnostic(`${read} read, ${refused} refused`);
  assert.equal(outside, 0);
  assert.ok(read > 0 && refused > 0, `${read} read, ${refused} refused: the race did not happen`);
});

test("verifyByWalk: only a folder that is swapped back and forth within every walk deceives it", {
  skip: skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/sub/a.md": "inside", "out/a.md": "outside" });
  const [sub, aside] = [folder.at("ws/sub"), folder.at("ws/aside")];
  let isSwapped = false;
  const swap = (wanted: boolean) => {
    if (wanted === isSwapped) return;
    isSwapped = wanted;
    if (!wanted) rmSync(sub);
    renameSync(...((wanted ? [sub, aside] : [aside, sub]) as [string, string]));
    if (wanted) symlinkSync(folder.at("out"), sub);
  };
  const location = locate(folder.at("ws"), "sub/a.md");
  const fd = openSync(folder.at("out/a.md"), "r");
  const stats = fstatSync(fd, { bigint: true });
  /** Before each step, swaps the folder as the bits of a schedule say. */
  const isDeceived = (schedule: number): boolean => {
    let step = 0;
    const look: typeof lookAtPart = (file, path) => {
      swap(((schedule >> step++) & 1) === 1);
      return lookAtPart(file, path);
    };
    try {
      return verifyByWalk(fd, stats, location, look);
    } catch {
      return false; // It met the symlink.
    }
  };
  const steps = 6;
  const schedules = Array.from({ length: 2 ** steps }, (_, schedule) => schedule).filter(isDeceived);
  closeSync(fd);
  swap(false);
  // A real folder when the folder is checked, a symlink when its file is, three times.
  assert.deepEqual(schedules, [0b101010]);
});

test("a folder, a FIFO and a socket are refused at once", {
  skip: skipWithoutPipes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  mkdirSync(folder.at("x.md"));
  execFileSync("mkfifo", [folder.at("y.md")]);
  const server = createServer().listen(folder.at("z.md"));
  t.after(() => server.close());
  for (const name of ["x.md", "y.md", "z.md"]) {
    assert.throws(
      () => openNote(locate(folder.dir, name)),
      { code: "note-unreadable", message: /not a regular file/ },
      name,
    );
  }
});

test("no descriptor is left open by what is refused", {
  skip: (process.platform !== "linux" && "needs /proc") || skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, { "ws/a.md": "in", "out/a.md": "out" });
  symlinkSync(folder.at("out/a.md"), folder.at("ws/b.md"));
  const probe = () => {
    const fd = openSync(folder.at("ws/a.md"), "r");
    closeSync(fd);
    return fd;
  };
  const before = probe();
  const refuse: Verify = () => false;
  assert.throws(() => openNote(locate(folder.at("ws"), "a.md"), refuse), {
    code: "note-unreadable",
    retryable: true,
  });
  assert.throws(() => openNote(locate(folder.at("ws"), "b.md")), { code: "path-outside-memory" });
  assert.equal(probe(), before);
});

test("a file that is replaced while it is opened is read in its new version", (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "old" });
  let replaced = false;
  const verify: Verify = (fd, stats, location) => {
    if (!replaced) {
      replaced = true;
      rmSync(folder.at("a.md"));
      folder.write("a.md", "new");
      // FUSE keeps it under another name while it is open.
      if (fuseKind === null) assert.equal(fstatSync(fd).nlink, 0);
    }
    return (process.platform === "linux" ? verifyByDescriptor : verifyByWalk)(fd, stats, location);
  };
  assert.equal(readThrough(locate(folder.dir, "a.md"), verify), "new");
});

/** Another process keeps swapping memory/sub for a symlink that leads outside, while this one reads through it. */
async function raceAgainstSwaps(t: TestContext, verify: Verify, durationMs: number) {
  const folder = makeTemporaryFolder(t, { "ws/memory/sub/a.md": "inside", "out/a.md": "outside" });
  const location = locate(folder.at("ws"), "memory/sub/a.md");
  const counts = { read: 0, outside: 0, refused: 0 };
  const argv = [folder.at("ws/memory/sub"), folder.at("out")];
  await whileRunning(t, { source: swapperSource, argv }, () => {
    const startedAt = performance.now();
    // On a busy machine the other process may need longer to get its turn.
    const isOver = (ms: number) =>
      ms > 10 * durationMs || (ms > durationMs && counts.read * counts.refused > 0);
    while (!isOver(performance.now() - startedAt)) {
      try {
        const text = readThrough(location, verify);
        if (text === "inside") counts.read++;
        if (text === "outside") counts.outside++;
      } catch (error) {
        assert.match((error as { code: string }).code, /^(?:path-outside-memory|note-unreadable)$/);
        counts.refused++;
      }
    }
  });
  return counts;
}
