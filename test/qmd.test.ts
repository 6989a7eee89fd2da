import assert from "node:assert/strict";
import { fork } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { PartialConfig } from "../src/config/options.ts";
import { runDoctor } from "../src/doctor/doctor.ts";
import type { Memory } from "../src/memory/memory.ts";
import type { SearchHit } from "../src/search/search.ts";
import { withFileLock } from "../src/stores/lock.ts";
import { hangLimitMs } from "./support/hang-limit.ts";
import { type MemoryFixture, makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";
import { makeTinyModel } from "./support/tiny-gguf.ts";
import { talk } from "./support/transcript-lines.ts";

/** A timeout for these tests; programs that hang in them hang for longer. */
const limit = { timeout: hangLimitMs };
const packageFolder = join(import.meta.dirname, "../node_modules/@tobilu/qmd");
const groupKey = "slack:group:x";

const notes = {
  "MEMORY.md": "# Long-term\n\nThe vault is opened by Nadia alone.\n",
  "memory/shipping.md":
    "# Shipping\n\nHow releases leave the house.\n\n## When\n\nWe ship on Fridays only, never before a holiday.\n",
  "memory/2026-10-02.md":
    "# Day\n\n- Shipped the parser\n- Straße und Größe geklärt\n\n我们在周五部署新版本\n",
  "memory/build/output.md": "# Output\n\nThe compiler writes its output to the cobalt folder.\n",
  "memory/drafts/left-out.md": "# Draft\n\nThe cobalt folder of drafts.\n",
  "memory/.hidden/secret.md": "The cobalt folder that nobody sees.\n",
  ".longhandignore": "memory/drafts/\n",
};

type Qmd = NonNullable<NonNullable<PartialConfig["memory"]>["qmd"]>;

function configure(qmd: Qmd = {}, memorySearch: Parameters<typeof withMemorySearch>[0] = {}): PartialConfig {
  const sync = { searchWaitMs: 60_000, ...memorySearch.sync };
  return withMemorySearch(
    { ...memorySearch, sync },
    { memory: { backend: "qmd", qmd: { timeoutMs: 600_000, ...qmd } } },
  );
}

/** Asserts that every line that a hit names exists, and that its snippet is in those lines. */
function checkLines(fixture: MemoryFixture, hits: readonly SearchHit[]): void {
  for (const { path, startLine, endLine, snippet, citation } of hits) {
    const lines = readFileSync(fixture.at(path), "utf8").split("\n");
    assert.ok(startLine >= 1 && endLine >= startLine && endLine <= lines.length, `${path} ${startLine}`);
    const named = lines.slice(startLine - 1, endLine).join("\n");
    assert.ok(named.includes(snippet.trim()), `${citation}: ${JSON.stringify({ named, snippet })}`);
  }
}

const paths = (hits: readonly SearchHit[]) => hits.map(({ path }) => path);

function qmdFolder(fixture: MemoryFixture): string {
  const agents = join(fixture.stateDir, "agents");
  return join(agents, readdirSync(agents)[0]!, "qmd");
}

/** A program with one fault that otherwise behaves like the real one. */
function writeProgram(t: TestContext, script: string): string {
  const folder = makeTemporaryFolder(t);
  const program = folder.write("qmd", `#!/bin/sh\necho "$*" >> '${folder.at("calls")}'\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

const real = `exec '${process.execPath}' '${packageFolder}/dist/cli/qmd.js' "$@"`;
const callsOf = (program: string) => readFileSync(join(program, "../calls"), "utf8").trim().split("\n");

async function waitForPid(fixture: MemoryFixture): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(join(qmdFolder(fixture), "pid"), "utf8"));
      if (pid > 0) return pid;
    } catch {
      // The program has not written it yet.
    }
    await sleep(10);
  }
}

function isAlive(pid: number): boolean {
  try {
    // A zombie process counts as ended.
    return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function askEverything(fixture: MemoryFixture, memory: Memory): Promise<void> {
  const ask = async (query: string, options = {}) => {
    const answer = await memory.search(query, options);
    assert.equal(answer.provider, "qmd", JSON.stringify(answer));
    assert.equal(answer.mode, "keyword");
    assert.equal(answer.fallback, undefined);
    assert.equal(answer.stale, false);
    assert.deepEqual(answer.degraded, []);
    checkLines(fixture, answer.results);
    return answer.results;
  };

  const [first] = await ask("so when exactly do we usually ship our releases?");
  assert.equal(first?.path, "memory/shipping.md");
  assert.ok(first.startLine <= 7 && first.endLine >= 7);
  assert.match(first.snippet, /Fridays/);
  assert.ok(first.score > 0 && first.score <= 1 && first.textScore !== null && first.vectorScore === null);
  assert.ok(first.headings.includes("Shipping"));
  const [day] = await ask("which parser was shipped?");
  assert.equal(day?.path, "memory/2026-10-02.md");
  assert.equal(day.date, "2026-10-02");
  assert.equal((await ask("Wie wurde die Größe der Straße bestimmt?"))[0]?.path, "memory/2026-10-02.md");
  const [chinese] = await ask("什么时候部署新版本？");
  assert.equal(chinese?.path, "memory/2026-10-02.md");
  assert.ok(chinese.startLine <= 6 && chinese.endLine >= 6);
  assert.deepEqual(await ask("wholly unrelated xylophone"), []);
  assert.deepEqual(paths(await ask("-vault \"opened NOT lex: Nadia'")), ["MEMORY.md"]);

  // Files that discovery excludes are absent, and qmd excludes nothing else.
  assert.deepEqual(paths(await ask("cobalt folder")), ["memory/build/output.md"]);
  assert.deepEqual(paths(await ask("vault Nadia")), ["MEMORY.md"]);
  assert.deepEqual(await ask("vault Nadia", { sessionKey: groupKey }), []);
  const filtered = await ask("ship shipped", { since: "2026-10-01", until: "2026-10-31" });
  assert.deepEqual(paths(filtered), ["memory/2026-10-02.md"]);
  assert.deepEqual(paths(await ask("ship shipped", { path: "memory/ship*" })), ["memory/shipping.md"]);
  const transcripts = await memory.search("ship", { source: "sessions" });
  assert.deepEqual(transcripts.results, []);
  assert.match(transcripts.degraded.join(), /not indexed/);
}

suite("The real qmd", () => {
  test("questions in plain words get hits with the lines of the notes, by its library and by its command line", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure() });
    await askEverything(fixture, memory);
    const { backend, qmd, fallback } = await memory.status();
    assert.equal(backend, "qmd");
    assert.equal(fallback, undefined);
    assert.match(qmd?.version ?? "", /^2\.\d+\.\d+$/);
    assert.match(qmd?.detail ?? "", /library/);
    assert.equal(qmd?.documents, 4);
    await memory.close();

    const config = configure({ command: writeProgram(t, real) });
    const again = await fixture.open({ config });
    await askEverything(fixture, again);
    assert.match((await again.status()).qmd?.detail ?? "", /command line/);
  });

  test("an update interval may be longer than a timer", async (t) => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    t.after(() => process.off("warning", note));
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({ update: { interval: "30d" } }) });
    assert.equal((await memory.search("when do we ship?")).provider, "qmd");
    await memory.close();
    await new Promise(setImmediate);
    assert.ok(!warnings.includes("TimeoutOverflowWarning"), "it would update without a pause");
  });

  test("new text is found at once, removed text is not, and lines move with the text", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure() });
    await memory.sync();
    const added = await memory.add("The zebra was renamed to quagga.");
    const [hit] = (await memory.search("zebra quagga")).results;
    assert.equal(hit?.path, added.path);
    assert.ok(hit.startLine <= added.startLine && hit.endLine >= added.endLine);

    fixture.write("memory/shipping.md", `${"filler\n".repeat(20)}${notes["memory/shipping.md"]}`);
    const moved = (await memory.search("when do we ship")).results[0];
    assert.equal(moved?.path, "memory/shipping.md");
    assert.ok(moved.startLine <= 27 && moved.endLine >= 27);
    checkLines(fixture, [moved]);

    fixture.write("memory/shipping.md", "# Shipping\n\nNothing is left.\n");
    rmSync(fixture.at("memory/build/output.md"));
    assert.deepEqual(paths((await memory.search("Fridays holiday")).results), []);
    assert.deepEqual(paths((await memory.search("compiler cobalt")).results), []);
  });

  test("while its index is stale, new text comes from the builtin index", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({}, { sync: { searchWaitMs: 0 } }) });
    await memory.sync();
    fixture.write("memory/shipping.md", "# Shipping\n\nWe ship on Mondays now.\n");
    const { results } = await memory.search("when do we ship on Fridays or Mondays");
    checkLines(fixture, results);
    assert.ok(!results.some(({ snippet }) => snippet.includes("Fridays")));
    await memory.sync();
    assert.match((await memory.search("ship Mondays")).results[0]?.snippet ?? "", /Mondays/);
  });

  test("an index that was emptied, overwritten or damaged is rebuilt", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const config = configure();
    const first = await fixture.open({ config });
    await first.sync();
    await first.close();
    const file = join(qmdFolder(fixture), "index.sqlite");
    const spoil: readonly (() => void)[] = [
      () => writeFileSync(file, ""),
      () => writeFileSync(file, "no database at all"),
      () =>
        writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 100), Buffer.alloc(40_000, 7)])),
    ];
    for (const [at, damage] of spoil.entries()) {
      for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
      damage();
      if (at === 2) {
        // Damage that is invisible from outside is noticed at the first failed answer.
        const memory = await fixture.open({ config });
        const answer = await memory.search("when do we ship?");
        assert.equal(answer.results[0]?.path, "memory/shipping.md");
        assert.match(answer.fallback?.reason ?? "", /database|malformed/);
        await memory.close();
      }
      const memory = await fixture.open({ config });
      const answer = await memory.search("when do we ship?");
      assert.equal(answer.provider, "qmd", JSON.stringify(answer.fallback));
      assert.equal(answer.results[0]?.path, "memory/shipping.md");
      await memory.close();
    }
  });

  test("notes that another process has copied without indexing them are found by the next one", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const sign = makeTemporaryFolder(t).at("broken");
    const command = writeProgram(t, `case "$*" in *" update"*) [ -e '${sign}' ] && exit 3;; esac\n${real}`);
    const config = configure({ command });
    await (await fixture.open({ config })).sync();
    writeFileSync(sign, "");
    fixture.write("memory/heron.md", "# Heron\n\nThe heron moved to the lake.\n");
    for (const turn of ["first", "second"]) {
      const memory = await fixture.open({ config });
      const answer = await memory.search("where did the heron move?");
      assert.equal(answer.results[0]?.path, "memory/heron.md", turn);
      assert.match(answer.degraded.join(), /could not be updated/);
      await memory.close();
    }
  });

  test("while another process holds the lock of the copy, answers say that they may be stale", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({}, { sync: { searchWaitMs: 50 } }) });
    await memory.sync();
    const lock = join(fixture.stateDir, "locks", `qmd-${memory.agentId}.lock`);
    await withFileLock(lock, {}, async () => {
      const answer = await memory.search("when do we ship?");
      assert.equal(answer.provider, "qmd");
      assert.equal(answer.stale, true);
    });
    await memory.sync();
    assert.equal((await memory.search("when do we ship?")).stale, false);
  });

  test(
    "where searches do not look for changes, the index is updated at the start all the same",
    limit,
    async (t) => {
      const fixture = makeMemoryFixture(t, notes);
      const config = configure({}, { sync: { onSearch: false } });
      const first = await fixture.open({ config });
      await first.sync();
      await first.close();
      fixture.write("memory/heron.md", "# Heron\n\nThe heron moved to the lake.\n");
      const memory = await fixture.open({ config });
      const find = async () => paths((await memory.search("where did the heron move?")).results);
      let found = await find();
      while (!found.includes("memory/heron.md")) {
        await sleep(20);
        found = await find();
      }
      assert.deepEqual(found, ["memory/heron.md"]);
    },
  );

  test("forgotten text is in none of its files, and secrets never were", async (t) => {
    const key = `sk-proj-${"a1B2c3D4e5F6".repeat(4)}`;
    const fixture = makeMemoryFixture(t, {
      ...notes,
      "memory/keys.md": `# Keys\n\nThe kestrel uses ${key} daily.\n`,
    });
    const memory = await fixture.open({ config: configure() });
    await memory.sync();
    assert.equal((await memory.search("vault Nadia")).results.length, 1);
    const files = () =>
      readdirSync(qmdFolder(fixture), { recursive: true, encoding: "utf8" })
        .map((name) => join(qmdFolder(fixture), name))
        .filter((file) => statSync(file).isFile());
    const holding = (text: string) => files().filter((file) => readFileSync(file).includes(text));
    assert.notDeepEqual(holding("opened by Nadia"), []);
    assert.notDeepEqual(holding("kestrel"), []);
    assert.deepEqual(holding(key), []);
    for (const file of files()) {
      if (!file.includes("index.sqlite")) assert.equal(statSync(file).mode & 0o077, 0, file);
    }
    assert.equal(statSync(qmdFolder(fixture)).mode & 0o077, 0);

    const { receipt } = await memory.forget({ path: "MEMORY.md", startLine: 3, endLine: 3 });
    assert.deepEqual(receipt?.problems, []);
    assert.deepEqual(holding("opened by Nadia"), []);
    assert.deepEqual((await memory.search("vault Nadia")).results, []);
    assert.equal((await memory.search("when do we ship")).results[0]?.path, "memory/shipping.md");
    await memory.close();
    assert.deepEqual(holding("opened by Nadia"), []);

    // Without qmd, its leftovers are deleted by the next forget.
    const folder = qmdFolder(fixture);
    const builtin = await fixture.open();
    await builtin.forget({ path: "memory/shipping.md", startLine: 7, endLine: 7 });
    assert.equal(existsSync(folder), false);
  });

  test("transcripts are searched where they are asked for, masked, with the lines of the original", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const agent = "ada";
    const key = `sk-proj-${"a1B2c3D4e5F6".repeat(4)}`;
    const folder = join(fixture.stateDir, "agents", agent, "sessions");
    mkdirSync(join(folder, "groups"), { recursive: true });
    const said = [
      "Where does the albatross nest?",
      "On the northern cliff.",
      `Its key is ${key} by the way.`,
    ];
    writeFileSync(join(folder, "s1.jsonl"), talk(said));
    writeFileSync(join(folder, "groups", "g1.jsonl"), talk(["Did the albatross of the group arrive?"]));
    const sources = { sources: ["memory", "sessions"] as const, experimental: { sessionMemory: true } };
    const memory = await fixture.open({ agent, config: configure({}, sources) });
    const builtin = await fixture.open({ agent, config: withMemorySearch(sources) });
    for (const sessionKey of [undefined, groupKey]) {
      const answer = await memory.search("albatross", sessionKey === undefined ? {} : { sessionKey });
      assert.equal(answer.provider, "qmd");
      const { results } = await builtin.search("albatross", sessionKey === undefined ? {} : { sessionKey });
      const placesOf = (hits: readonly SearchHit[]) =>
        hits.map((hit) => `${hit.path}:${hit.startLine}`).sort();
      assert.deepEqual(placesOf(answer.results), placesOf(results));
      assert.ok(answer.results.length >= 1);
    }
    const [hit] = (await memory.search("northern cliff")).results;
    assert.equal(hit?.source, "sessions");
    // The first line of the file is its head.
    assert.ok(hit.startLine <= 3 && hit.endLine >= 3, JSON.stringify(hit));
    const copies = join(fixture.stateDir, "agents", agent, "qmd", "documents");
    const texts = readdirSync(copies, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(copies, name), "utf8"));
    assert.ok(texts.some((text) => text.includes("albatross nest")));
    assert.ok(!texts.some((text) => text.includes(key)));
  });

  test("vectors of its own model answer in the modes vsearch and query", async (t) => {
    const folder = makeTemporaryFolder(t);
    const model = folder.write("letters.gguf", makeTinyModel({ contextLength: 1024 }));
    const before = { ...process.env };
    Object.assign(process.env, { QMD_EMBED_MODEL: model, QMD_FORCE_CPU: "1" });
    t.after(() => {
      for (const name of ["QMD_EMBED_MODEL", "QMD_FORCE_CPU"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    });
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({ searchMode: "vsearch" }) });
    const report = await memory.sync();
    assert.deepEqual(report.degraded, []);
    const answer = await memory.search("we ship on fridays only, never before a holiday");
    assert.equal(answer.provider, "qmd", JSON.stringify(answer.degraded));
    assert.equal(answer.mode, "vector");
    assert.equal(answer.model, "letters.gguf");
    assert.ok(answer.results.length > 0);
    for (const { vectorScore, textScore, score } of answer.results) {
      assert.ok(vectorScore !== null && vectorScore > 0 && vectorScore <= 1 && score <= 1);
      assert.equal(textScore, null);
    }
    checkLines(fixture, answer.results);
    const shared = await memory.search("the vault is opened by Nadia alone", { sessionKey: groupKey });
    assert.ok(!paths(shared.results).includes("MEMORY.md"));
    await memory.close();

    const hybrid = await fixture.open({ config: configure({ searchMode: "query" }) });
    const both = await hybrid.search("when do we ship?");
    assert.equal(both.mode, "hybrid");
    assert.equal(both.results[0]?.path, "memory/shipping.md");
    assert.ok(both.results[0].vectorScore !== null && both.results[0].textScore !== null);
    checkLines(fixture, both.results);
    await hybrid.close();

    process.env.QMD_EMBED_MODEL = folder.at("missing.gguf");
    const without = await fixture.open({ config: configure({ searchMode: "query" }) });
    const words = await without.search("when do we ship?");
    assert.equal(words.mode, "keyword");
    assert.match(words.degraded.join(), /missing\.gguf/);
    await without.close();
    const unable = await fixture.open({ config: configure({ searchMode: "vsearch" }) });
    const fallen = await unable.search("when do we ship?");
    assert.match(fallen.fallback?.reason ?? "", /no embedding model/);
    assert.equal(fallen.results[0]?.path, "memory/shipping.md");
  });
});

/** Says its version and makes an index; what it answers is the fault. */
const faulty = (query: string, update = ': > "$INDEX_PATH"') =>
  `case "$*" in *--version*) echo qmd 2.8.3;; *" update"*) ${update};; *) ${query};; esac`;

suite("A qmd that is missing or broken", () => {
  const faults: readonly [name: string, script: string | null, reason: RegExp][] = [
    ["is missing", null, /not installed/],
    ["prints garbage", faulty("echo '<html>'"), /cannot be understood/],
    ["ends with an error", faulty("echo 'no such table' >&2; exit 1"), /exit code 1: no such table/],
    ["crashes in its answer", faulty(`printf '[{"docid":'; kill -9 $$`), /SIGKILL/],
    ["stops in its answer", faulty(`printf '[{"docid":'`), /cannot be understood/],
    ["hangs", faulty("sleep 600"), /within 1500 ms/],
    ["cannot update", faulty("echo '[]'", "echo 'disk full' >&2; exit 7"), /disk full/],
    ["hangs while it updates", faulty("echo '[]'", "sleep 600"), /still indexing/],
    ["is too old", "echo qmd 1.2.3", /too old/],
    ["says no version", "echo hello", /no version/],
    ["is no program", "}{", /could not be started|exit code/],
  ];
  for (const [name, script, reason] of faults) {
    test(`one that ${name} costs no answer: the builtin engine gives it, and says why`, async (t) => {
      const fixture = makeMemoryFixture(t, notes);
      const command = script === null ? "qmd-that-is-not-installed" : writeProgram(t, script);
      let nowMs = Date.now();
      // A busy machine may take long to start a program, so only those that hang are waited for briefly, and longer
      // where one has to answer before.
      const timeoutMs = name === "hangs" ? 1500 : script?.includes("sleep") ? 4000 : 600_000;
      const memory = await fixture.open({
        config: configure({ command, timeoutMs }),
        now: () => new Date(nowMs),
      });
      const ask = async () => {
        const answer = await memory.search("when do we ship?");
        assert.equal(answer.fallback?.from, "qmd");
        assert.match(answer.fallback.reason, reason);
        assert.equal(answer.provider, "none");
        assert.equal(answer.mode, "keyword");
        assert.equal(answer.results[0]?.path, "memory/shipping.md");
        assert.match(answer.degraded.join(), reason);
        checkLines(fixture, answer.results);
      };
      await ask();
      // Skipped during a pause, then tried again.
      const calls = script === null ? [] : callsOf(command);
      await ask();
      if (script !== null) assert.deepEqual(callsOf(command), calls);
      nowMs += 31_000;
      await ask();
      // A hanging update has its own deadline, and only one runs at a time.
      const isRetried = script !== null && !script.includes(") sleep 600;; *)");
      if (isRetried) assert.ok(callsOf(command).length > calls.length);
      nowMs += 31_000;
      const tried = script === null ? [] : callsOf(command);
      await ask();
      if (script !== null) assert.deepEqual(callsOf(command), tried, "the pause is longer the second time");

      const status = await memory.status();
      assert.equal(status.backend, "qmd");
      assert.match(status.fallback?.reason ?? "", reason);
      const added = await memory.add("The heron moved to the lake.");
      assert.equal(added.indexed, true);
      assert.equal((await memory.search("heron lake")).results[0]?.path, added.path);
      const { receipt } = await memory.forget({ path: added.path, startLine: 3, endLine: 3 });
      assert.deepEqual(receipt?.problems, []);
    });
  }

  test(
    "what a program that hangs has started ends with it, and closing does not wait for it",
    limit,
    async (t) => {
      const fixture = makeMemoryFixture(t, notes);
      const hang = 'sleep 600 & echo $! > "$QMD_CONFIG_DIR/pid"; wait';
      const command = writeProgram(t, faulty(hang));
      let nowMs = Date.now();
      const memory = await fixture.open({
        config: configure({ command, timeoutMs: 3000 }),
        now: () => new Date(nowMs),
      });
      const hasStarted = () => existsSync(join(qmdFolder(fixture), "pid"));
      // On a busy machine its time may be over before it has started anything; later it is tried again.
      do {
        nowMs += 3_600_000;
        assert.equal((await memory.search("when do we ship?")).fallback?.from, "qmd");
      } while (!hasStarted());
      const pid = await waitForPid(fixture);
      await memory.close();
      while (isAlive(pid)) await sleep(10);
    },
  );

  for (const [name, script] of [
    ["an answer", faulty("sleep 600")],
    ["its version", "sleep 600"],
  ] as const) {
    test(`closing does not wait for ${name} that does not come`, limit, async (t) => {
      const fixture = makeMemoryFixture(t, notes);
      const command = writeProgram(t, script);
      const memory = await fixture.open({ config: configure({ command, timeoutMs: 600_000 }) });
      const asked = memory.search("when do we ship?");
      const calls = /version/.test(name) ? 1 : 3;
      const isThere = () => existsSync(join(command, "../calls")) && callsOf(command).length >= calls;
      while (!isThere()) await sleep(10);
      await Promise.all([memory.close(), assert.rejects(asked, { code: "aborted" })]);
    });
  }

  test("a program that hangs does not outlive a host that is killed", limit, async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const command = writeProgram(t, faulty('echo $$ > "$QMD_CONFIG_DIR/pid"; sleep 600'));
    const config = JSON.stringify(configure({ command, timeoutMs: 600_000 }));
    const entry = join(import.meta.dirname, "../src/index.ts");
    const program = makeTemporaryFolder(t).write(
      "host.ts",
      `import { openMemory } from ${JSON.stringify(entry)};
      const [workspace, stateDir] = process.argv.slice(2);
      await (await openMemory({ workspace, stateDir, config: ${config} })).search("when do we ship?");`,
    );
    const host = fork(program, [fixture.workspace, fixture.stateDir]);
    t.after(() => host.kill("SIGKILL"));
    const pid = await waitForPid(fixture);
    host.kill("SIGKILL");
    while (isAlive(pid)) await sleep(10);
  });

  test("one that says on stderr that it found nothing has answered", async (t) => {
    for (const exitCode of [0, 1]) {
      const fixture = makeMemoryFixture(t, notes);
      const command = writeProgram(t, faulty(`echo 'No results found.' >&2; exit ${exitCode}`));
      const memory = await fixture.open({ config: configure({ command }) });
      const answer = await memory.search("when do we ship?");
      assert.deepEqual([answer.provider, answer.results, answer.degraded], ["qmd", [], []]);
      await memory.close();
    }
  });

  test("one that recovers is used again", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const sign = makeTemporaryFolder(t).write("broken");
    const command = writeProgram(t, `[ -e '${sign}' ] && exit 3\n${real}`);
    let nowMs = Date.now();
    const memory = await fixture.open({ config: configure({ command }), now: () => new Date(nowMs) });
    assert.equal((await memory.search("when do we ship?")).fallback?.from, "qmd");
    rmSync(sign);
    assert.equal((await memory.search("when do we ship?")).fallback?.from, "qmd");
    nowMs += 31_000;
    const answer = await memory.search("when do we ship?");
    assert.equal(answer.provider, "qmd");
    assert.equal(answer.fallback, undefined);
    assert.equal(answer.results[0]?.path, "memory/shipping.md");
  });

  test("a library that cannot be loaded is driven by its command line, one that fails is fallen back from", async (t) => {
    const libraries: readonly [name: string, code: string, reason: RegExp | null][] = [
      ["cannot be loaded", 'throw new Error("built for another Node");', null],
      ["hangs", store("await new Promise(() => setInterval(() => {}, 1000));"), /within 3000 ms/],
      ["crashes", store("process.exit(9);"), /exit code 9/],
      ["throws", store('throw new Error("database disk image is malformed");'), /malformed/],
      ["answers nonsense", store("return null;"), /./],
    ];
    for (const [name, code, reason] of libraries) {
      const command = writePackage(t, code);
      const fixture = makeMemoryFixture(t, notes);
      // Only what hangs is waited for briefly, and not before it has indexed the notes.
      const timeoutMs = name === "hangs" ? 3000 : 600_000;
      const memory = await fixture.open({ config: configure({ command, timeoutMs }) });
      if (name === "hangs") await memory.sync();
      const answer = await memory.search("when do we ship?");
      assert.equal(answer.results[0]?.path, "memory/shipping.md", name);
      if (reason === null) assert.equal(answer.provider, "qmd", name);
      else assert.match(answer.fallback?.reason ?? "", reason, name);
      await memory.close();
    }
  });

  test("a question does not wait for an update, nor end it", limit, async (t) => {
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)";
    const command = writePackage(t, store("return [];", `while (fs.existsSync(dbPath + ".slow")) ${wait}`));
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({ command }, { sync: { searchWaitMs: 50 } }) });
    await memory.sync();
    const slow = join(qmdFolder(fixture), "index.sqlite.slow");
    writeFileSync(slow, "");
    fixture.write("memory/heron.md", "# Heron\n\nThe heron moved to the lake.\n");
    for (let i = 0; i < 2; i++) {
      const answer = await memory.search("where did the heron move?");
      assert.equal(answer.provider, "qmd", JSON.stringify(answer.fallback));
    }
    rmSync(slow);
    assert.deepEqual((await memory.sync()).degraded, []);
  });

  test("the doctor says what is found and what to do", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const node = { version: "v24", sqlite: "3", problem: null };
    const check = async (memory: Memory) => {
      const patient = {
        settings: {} as never,
        version: "0.0.0",
        memory,
        status: await memory.status(),
        node,
      };
      const { checkBackend } = await import("../src/doctor/index-checks.ts");
      return (await runDoctor(patient, { backend: checkBackend })).checks[0];
    };
    const memory = await fixture.open({ config: configure() });
    await memory.sync();
    const well = await check(memory);
    assert.equal(well?.ok, true);
    assert.match(
      well.detail,
      /version 2\.\d+\.\d+, .*library; keyword search only, 4 documents, answered in \d+ ms/,
    );
    const unwell = await check(await fixture.open({ config: configure({ command: "qmd-nowhere" }) }));
    assert.equal(unwell?.ok, false);
    assert.match(`${unwell.detail} ${unwell.fix}`, /not installed.*npm install -g @tobilu\/qmd/);
    const builtin = await fixture.open();
    assert.equal(await check(builtin), undefined);
  });
});

/** A library whose searches and updates have these bodies. */
function store(search: string, beforeUpdate = ""): string {
  return `import fs from "node:fs";
  export const createStore = async ({ dbPath }) => ({
    searchLex: async () => { ${search} }, searchVector: async () => [], close: async () => {},
    update: async () => { ${beforeUpdate}; fs.writeFileSync(dbPath, "SQLite format 3\\0"); },
  });`;
}

/** An installed package with this library; its command line is the real one. */
function writePackage(t: TestContext, library: string): string {
  const manifest = { name: "@tobilu/qmd", version: "2.8.3", type: "module" };
  const folder = makeTemporaryFolder(t, {
    "node_modules/@tobilu/qmd/package.json": JSON.stringify(manifest),
    "node_modules/@tobilu/qmd/dist/index.js": library,
    "node_modules/@tobilu/qmd/dist/cli/qmd.js": runsReal,
    "node_modules/@tobilu/qmd/bin/qmd": "#!/bin/sh\n",
  });
  const command = folder.at("node_modules/@tobilu/qmd/bin/qmd");
  chmodSync(command, 0o755);
  return command;
}

const runsReal = `import { spawnSync } from "node:child_process";
const { status } = spawnSync(process.execPath, [${JSON.stringify(`${packageFolder}/dist/cli/qmd.js`)}, ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = status ?? 1;`;
