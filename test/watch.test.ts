import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { suite, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Memory, SyncReport, WatchEvent } from "../src/index.ts";
import { finish, startProgram } from "./support/child-process.ts";
import { hangLimitMs } from "./support/hang-limit.ts";
import { type MemoryFixture, makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { skipOnWindows } from "./support/platform.ts";
import { libraryUrl } from "./support/programs.ts";
import { openCliFixture } from "./support/run-cli.ts";

/*
 * Watching as users do it: real folders, real processes, real time. A test that waits in vain times out.
 */

const limit = { timeout: hangLimitMs };
const longhand = JSON.stringify(libraryUrl);

/** Events that can be awaited, including those that have already arrived. */
function createEventLog() {
  const events: WatchEvent[] = [];
  let wake = (): void => {};
  return {
    events,
    onEvent(event: WatchEvent): void {
      events.push(event);
      wake();
    },
    async find<T>(pick: (event: WatchEvent) => T | undefined | false): Promise<T> {
      for (let at = 0; ; at++) {
        while (at >= events.length) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const found = pick(events[at]!);
        if (found !== undefined && found !== false) return found;
      }
    },
  };
}

/** A watched memory with short delays whose searches do not check the folders: only watching keeps it fresh. */
async function openWatched(fixture: MemoryFixture, debounceMs = 30) {
  const config = withMemorySearch({ sync: { onSearch: false, watchDebounceMs: debounceMs } });
  const memory = await fixture.open({ config });
  const log = createEventLog();
  const watcher = await memory.watch({ onEvent: log.onEvent });
  await log.find((event) => event.kind === "synced");
  return { memory, log, watcher };
}

async function pathsFor(memory: Memory, query: string): Promise<string[]> {
  return (await memory.search(query)).results.map((hit) => hit.path);
}

/** Searches after each pass until the answer is as expected. */
async function untilFound(
  { memory, log }: { memory: Memory; log: ReturnType<typeof createEventLog> },
  query: string,
  expected: readonly string[],
): Promise<void> {
  const isMet = async () => JSON.stringify(await pathsFor(memory, query)) === JSON.stringify(expected);
  for (let seen = 0; !(await isMet()); ) {
    seen = await log.find((event) => {
      const at = log.events.indexOf(event);
      return event.kind === "synced" && at >= seen ? at + 1 : undefined;
    });
  }
}

suite("an edit by another program is indexed without a search that looks for it", limit, () => {
  const saves: Record<string, (file: string, text: string) => void> = {
    "written in place": (file, text) => writeFileSync(file, text),
    "truncated, then written": (file, text) => {
      truncateSync(file, 0);
      writeFileSync(file, text);
    },
    "old one moved away, new one written": (file, text) => {
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
      rmSync(`${file}~`);
    },
    "another one moved over it": (file, text) => {
      const temporary = path.join(path.dirname(file), "sedX1y2z3");
      writeFileSync(temporary, text);
      renameSync(temporary, file);
    },
  };
  for (const [name, save] of Object.entries(saves)) {
    test(name, async (t) => {
      const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps.", "MEMORY.md": "Nothing." });
      const watched = await openWatched(fixture);
      save(fixture.at("memory/a.md"), "The wallaby hops.");
      await untilFound(watched, "wallaby", ["memory/a.md"]);
      save(fixture.at("MEMORY.md"), "A wombat digs.");
      await untilFound(watched, "wombat", ["MEMORY.md"]);
      assert.deepEqual(await pathsFor(watched.memory, "quokka"), []);
    });
  }

  test("new folders are followed to any depth, and vanished ones forgotten", async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "Nothing." });
    const watched = await openWatched(fixture);
    mkdirSync(fixture.at("memory/deep/deeper"), { recursive: true });
    writeFileSync(fixture.at("memory/deep/deeper/a.md"), "The quokka sleeps.");
    await untilFound(watched, "quokka", ["memory/deep/deeper/a.md"]);
    writeFileSync(fixture.at("memory/deep/deeper/b.md"), "The wallaby hops.");
    await untilFound(watched, "wallaby", ["memory/deep/deeper/b.md"]);
    renameSync(fixture.at("memory/deep"), fixture.at("memory/moved"));
    await untilFound(watched, "wallaby", ["memory/moved/deeper/b.md"]);
    writeFileSync(fixture.at("memory/moved/deeper/c.md"), "A wombat digs.");
    await untilFound(watched, "wombat", ["memory/moved/deeper/c.md"]);
    rmSync(fixture.at("memory/moved/deeper/c.md"));
    await untilFound(watched, "wombat", []);
  });

  test("after a burst of changes, as in a checkout, the index matches the folder", async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "Nothing." });
    const watched = await openWatched(fixture);
    for (let index = 0; index < 200; index++)
      fixture.write(`memory/${index % 7}/n${index}.md`, `Old ${index}.`);
    for (let index = 0; index < 200; index += 2) rmSync(fixture.at(`memory/${index % 7}/n${index}.md`));
    for (let index = 1; index < 200; index += 2) {
      fixture.write(`memory/${index % 7}/n${index}.md`, `Branch ${index}.`);
    }
    fixture.write("memory/3/n199.md", "The wallaby hops.");
    await untilFound(watched, "wallaby", ["memory/3/n199.md"]);
    await watched.memory.sync();
    const { files, onDisk } = await watched.memory.status();
    assert.deepEqual([files, onDisk.files, onDisk.changed], [101, 101, 0]);
  });
});

test("a file that is appended to every 400 ms is searchable before that ends", limit, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/log.md": "Begin.\n" });
  const watched = await openWatched(fixture, 1500);
  // The first sync created watches, which triggers another sync.
  await watched.log.find((event) => event.kind === "synced" && watched.log.events.indexOf(event) > 1);
  const writing = setInterval(() => appendFileSync(fixture.at("memory/log.md"), "one more line\n"), 400);
  t.after(() => clearInterval(writing));
  appendFileSync(fixture.at("memory/log.md"), "The quokka sleeps.\n");
  const beganMs = performance.now();
  await untilFound(watched, "quokka", ["memory/log.md"]);
  clearInterval(writing);
  assert.ok(performance.now() - beganMs > 1500, "there was no pause of 1.5 s before that");
});

test("a watcher that is closed leaves no lock and no handle, and the memory continues", limit, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps." });
  const { memory, watcher } = await openWatched(fixture);
  assert.deepEqual((await memory.status()).watcher.pid, process.pid);
  await watcher[Symbol.asyncDispose]();
  assert.deepEqual((await memory.status()).watcher, { mode: "none" });
  // A closed handle is released a few turns later; a leaked one never is, and the test times out.
  while (process.getActiveResourcesInfo().includes("FSEventWrap")) await setImmediate();
  assert.deepEqual(
    readdirSync(path.join(fixture.stateDir, "locks")).filter((name) => !name.endsWith(".lock")),
    [],
  );
  assert.deepEqual(await pathsFor(memory, "quokka"), ["memory/a.md"]);
});

test(
  "a listener that fails is reported once, and neither the watch nor the process ends",
  limit,
  async (t) => {
    const source = `
    import { openMemory } from ${longhand};
    const [workspace, stateDir] = process.argv.slice(1);
    const memory = await openMemory({ workspace, stateDir });
    const heard = [];
    process.on("warning", ({ name, message }) => name === "LonghandWarning" && heard.push(message));
    await using watcher = await memory.watch({ onEvent: () => { throw new Error("broken listener"); } });
    await using other = await memory.watch({ onEvent: async () => { throw new Error("broken promise"); } });
    while (heard.length < 2) await memory.sync({ force: true });
    await memory.sync({ force: true });
    console.log(JSON.stringify(heard.toSorted()));`;
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "A note." });
    const { code, stdout, stderr } = await finish(
      startProgram(t, source, [fixture.workspace, fixture.stateDir]),
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), [
      "A listener of the watch failed: broken listener",
      "A listener of the watch failed: broken promise",
    ]);
  },
);

test("many changes leave memory, handles and files as they were", limit, async () => {
  const bench = path.join(import.meta.dirname, "..", "bench", "watch-events.ts");
  const child = spawn(process.execPath, ["--expose-gc", bench, "4000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { code, stdout } = await finish(child);
  assert.equal(code, 0);
  const states = [...stdout.matchAll(/heap ([\d.]+) MB.*, (\d+) descriptors, (\d+) files/g)];
  const [early, late] = states.map(([, ...numbers]) => numbers.map(Number));
  assert.ok(early && late);
  // A lock that is just held is one more of each.
  assert.ok(late[1]! <= early[1]! + 2 && late[2]! <= early[2]! + 2, stdout);
  assert.ok(late[0]! < early[0]! + 10, "the heap has not grown by 10 MB");
  assert.match(stdout, /found at the end: memory\/n0.md; \d+ passes, 0 warnings/);
  assert.match(stdout, /watches left after closing: 0/);
});

test("as configured: with watching off and no interval, nothing runs", limit, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps." });
  const memory = await fixture.open({ config: withMemorySearch({ sync: { watch: false } }) });
  const watcher = await memory.watch({ when: "configured", onEvent: () => assert.fail("nothing runs") });
  assert.equal((await memory.status()).watcher.mode, "none");
  await watcher[Symbol.asyncDispose]();
});

/** Another process that watches and prints its events as lines of JSON. */
function startWatcher(t: TestContext, { workspace, stateDir }: MemoryFixture) {
  const child = startProgram(
    t,
    `import { openMemory } from ${longhand};
     const [workspace, stateDir] = process.argv.slice(1);
     const config = { agents: { defaults: { memorySearch: { provider: "none", sync: { watchDebounceMs: 30 } } } } };
     const memory = await openMemory({ workspace, stateDir, config });
     await memory.watch({ onEvent: (event) => process.stdout.write(JSON.stringify(event) + "\\n") });`,
    [workspace, stateDir],
  );
  const log = createEventLog();
  createInterface({ input: child.stdout! }).on("line", (line) => log.onEvent(JSON.parse(line)));
  return { child, log };
}

const isMode = (mode: string) => (event: WatchEvent) => event.kind === "mode" && event.mode === mode;

test("one process watches; when it is killed another takes over and misses nothing", limit, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps." });
  const first = startWatcher(t, fixture);
  await first.log.find(isMode("watching"));
  const second = startWatcher(t, fixture);
  await second.log.find(isMode("following"));
  await first.log.find((event) => event.kind === "synced");
  fixture.write("memory/b.md", "The wallaby hops.");
  await second.log.find((event) => event.kind === "changed");

  await end(first.child, "SIGKILL");
  fixture.write("memory/c.md", "A wombat digs.");
  await second.log.find(isMode("watching"));
  await second.log.find((event) => event.kind === "synced" && event.report.added === 1);
});

test("a paused watcher stays the watcher, and notes are still found", {
  ...limit,
  skip: skipOnWindows("a process cannot be paused there"),
}, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps." });
  const first = startWatcher(t, fixture);
  await first.log.find((event) => event.kind === "synced");
  first.child.kill("SIGSTOP");
  const memory = await fixture.open();
  fixture.write("memory/b.md", "The wallaby hops.");
  assert.deepEqual(await pathsFor(memory, "wallaby"), ["memory/b.md"]);
  const log = createEventLog();
  await memory.watch({ onEvent: log.onEvent });
  await log.find(isMode("following"));
  first.child.kill("SIGCONT");
  fixture.write("memory/c.md", "A wombat digs.");
  await first.log.find((event) => event.kind === "synced" && event.report.added === 1);
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = finish(child);
  child.kill(signal);
  await ended;
}

suite("longhand index --watch", limit, () => {
  test("prints a line of JSON per sync, and ends at a signal", async (t) => {
    const fixture = openCliFixture(t);
    fixture.write("memory/a.md", "The quokka sleeps.");
    const child = fixture.start({}, "index", "--watch", "--json");
    const reports: SyncReport[] = [];
    let wake = (): void => {};
    createInterface({ input: child.stdout! }).on("line", (line) => {
      reports.push(JSON.parse(line));
      wake();
    });
    const untilReports = async (count: number): Promise<void> => {
      while (reports.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    await untilReports(1);
    fixture.write("memory/b.md", "The wallaby hops.");
    await untilReports(2);
    assert.deepEqual(
      reports.map(({ added }) => added),
      [1, 1],
    );
    const ended = finish(child);
    child.kill("SIGTERM");
    // On its own, or on a busy machine by the signal, after a grace period of 1.5 s.
    const { code, signal } = await ended;
    assert.ok(code === 143 || signal === "SIGTERM", `${code} ${signal}`);
  });
});

suite("a large backlog is the work of one process", limit, () => {
  const backlog = (t: TestContext, count: number): MemoryFixture => {
    const fixture = makeMemoryFixture(t);
    const body = "Some words of no great interest, again and again.\n\n".repeat(40);
    for (let index = 0; index < count; index++)
      fixture.write(`memory/n${index}.md`, `# Note ${index}\n\n${body}`);
    return fixture;
  };
  const source = `
    import { writeSync } from "node:fs";
    import { openMemory } from ${longhand};
    const [workspace, stateDir] = process.argv.slice(1);
    const config = { agents: { defaults: { memorySearch: { provider: "none" } } } };
    await using memory = await openMemory({ workspace, stateDir, config });
    let told = false;
    const progress = ({ completed }) => {
      if (completed > 40 && !told) { told = true; writeSync(1, "busy\\n"); }
    };
    writeSync(1, JSON.stringify(await memory.sync({ progress })) + "\\n");`;
  const start = (t: TestContext, { workspace, stateDir }: MemoryFixture) => {
    const child = startProgram(t, source, [workspace, stateDir]);
    const lines: string[] = [];
    const busy = Promise.withResolvers<void>();
    createInterface({ input: child.stdout! }).on("line", (line) => {
      lines.push(line);
      busy.resolve();
    });
    return { child, lines, busy: busy.promise };
  };

  test("a process that waits for it finds little left, and says what it waits for", async (t) => {
    const fixture = backlog(t, 450);
    const first = start(t, fixture);
    const ended = finish(first.child);
    await first.busy;
    const memory = await fixture.open();
    const answer = await memory.search("note 449");
    const waits: number[] = [];
    const report = await memory.sync({
      progress: ({ waitingFor: holder }) => holder && waits.push(holder.pid),
    });
    await ended;
    const done: SyncReport = JSON.parse(first.lines.at(-1)!);
    assert.equal(done.added, 450);
    assert.equal(report.added, 0);
    // It may have finished before we asked.
    for (const pid of waits) assert.equal(pid, first.child.pid);
    assert.equal(typeof answer.stale, "boolean");
  });

  test("a search does not wait for a paused one: it answers and says that it is stale", {
    skip: skipOnWindows("a process cannot be paused there"),
  }, async (t) => {
    const fixture = backlog(t, 450);
    const memory = await fixture.open();
    await memory.add("The quokka sleeps.", { to: "memory/own.md" });
    // From now on the index counts as built, so that no search waits for the first build.
    rmSync(fixture.at("memory/n0.md"));
    const first = start(t, fixture);
    await first.busy;
    first.child.kill("SIGSTOP");
    // It may have been paused in the middle of a write, which blocks all other writers.
    const cancelled = AbortSignal.timeout(500);
    await assert.rejects(memory.sync({ signal: cancelled }), { code: "aborted" });
    first.child.kill("SIGCONT");
    await finish(first.child);
    assert.deepEqual(await pathsFor(memory, "quokka"), ["memory/own.md"]);
    assert.equal((await memory.status()).onDisk.changed, 0);
  });

  test("a killed one leaves its work to the next", async (t) => {
    const fixture = backlog(t, 300);
    const first = start(t, fixture);
    await first.busy;
    await end(first.child, "SIGKILL");
    const memory = await fixture.open();
    const report = await memory.sync();
    assert.ok(report.added > 0);
    assert.equal((await memory.status()).files, 300);
  });
});

test(
  "eight processes that watch, search and add at once show no error and agree in the end",
  limit,
  async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "The staging database listens on port 5433.\n" });
    const source = `
    import { openMemory } from ${longhand};
    const [workspace, stateDir, name] = process.argv.slice(1);
    const config = { agents: { defaults: { memorySearch: { provider: "none", sync: { watchDebounceMs: 20 } } } } };
    await using memory = await openMemory({ workspace, stateDir, config });
    const warnings = [];
    await memory.watch({ onEvent: (event) => event.kind === "warning" && warnings.push(event.message) });
    const own = "memory/" + name + ".md";
    for (let i = 0; i < 15; i++) {
      const { indexed } = await memory.add("Sighting " + i + " of a " + name + " in the yard.", { to: own });
      const find = async () => {
        const { results, degraded, stale } = await memory.search("Sighting " + i + " " + name);
        if (degraded.length > 0) throw new Error(degraded.join());
        return { isFound: results.some(({ path }) => path === own), stale };
      };
      let { isFound, stale } = await find();
      // On a busy machine an answer may be stale, and then says so. After a sync none is.
      if (!isFound && stale && !indexed) {
        await memory.sync();
        ({ isFound, stale } = await find());
      }
      if (!isFound) throw new Error("own note " + i + " not found: " + JSON.stringify({ indexed, stale }));
    }
    if (warnings.length > 0) throw new Error(warnings.join());`;
    const names = ["quokka", "wallaby", "wombat", "koala", "bilby", "numbat", "dingo", "emu"];
    const ends = await Promise.all(
      names.map((name) => finish(startProgram(t, source, [fixture.workspace, fixture.stateDir, name]))),
    );
    for (const { code, stderr } of ends) assert.deepEqual([code, stderr], [0, ""]);
    const memory = await fixture.open();
    const report = await memory.sync();
    assert.deepEqual([report.added, report.removed, report.failed], [0, 0, []]);
    assert.equal((await memory.status()).files, 9);
  },
);

test(
  "what another process indexed is in the next answer, although this one does not watch the folder",
  limit,
  async (t) => {
    const fixture = makeMemoryFixture(t, { "memory/a.md": "The quokka sleeps on port 5433." });
    const reader = await fixture.open({ config: withMemorySearch({ sync: { onSearch: false } }) });
    const writer = await fixture.open();
    await writer.sync();
    assert.deepEqual(await pathsFor(reader, "quokka"), ["memory/a.md"]);
    fixture.write("memory/a.md", "Another line.\n\nThe quokka sleeps on port 6001.");
    fixture.write("memory/b.md", "A quokka too.");
    await writer.sync();
    const { results } = await reader.search("quokka port");
    assert.equal(results[0]?.snippet.includes("6001"), true);
    assert.equal(results[0]?.endLine, 3);
    assert.equal((await pathsFor(reader, "quokka")).length, 2);
  },
);

test(
  "a watcher in this process spares a search its look, and an edit is found all the same",
  limit,
  async (t) => {
    const fixture = makeMemoryFixture(t);
    for (let index = 0; index < 300; index++)
      fixture.write(`memory/f${index % 30}/n${index}.md`, `Note ${index}.`);
    const memory = await fixture.open();
    const log = createEventLog();
    await memory.watch({ onEvent: log.onEvent });
    await log.find((event) => event.kind === "synced");
    for (let round = 0; round < 10; round++) {
      await memory.search("note 17");
      writeFileSync(fixture.at(`memory/f${round}/n${round}.md`), `The quokka sleeps in round${round}.`);
      const answer = await memory.search(`quokka round${round}`);
      assert.equal(answer.stale || answer.results[0]?.path === `memory/f${round}/n${round}.md`, true);
    }
  },
);
