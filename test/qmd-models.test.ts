import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { PartialConfig } from "../src/config/options.ts";
import { makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const packageFolder = join(import.meta.dirname, "../node_modules/@tobilu/qmd");
const notes = {
  "memory/shipping.md": "# Shipping\n\nWe ship on Fridays only, never before a holiday.\n",
  "memory/lunch.md": "# Lunch\n\nThe kitchen opens at noon.\n",
  "memory/kitchen.md": "# Kitchen\n\nThe kitchen was painted green.\n",
};
const models = {
  generate: "qmd-query-expansion-1.7B-q4_k_m.gguf",
  rerank: "qwen3-reranker-0.6b-q8_0.gguf",
};

/**
 * A qmd with its real index. The answers of its two language models are fixed, because those have gigabytes; these tests
 * check when they are used, and what becomes of their answers.
 */
function writeQmd(t: TestContext, way: "library" | "command line") {
  const folder = makeTemporaryFolder(t);
  const calls = folder.at("calls");
  const note = `import { appendFileSync } from "node:fs";
    const note = (call) => appendFileSync(${JSON.stringify(calls)}, JSON.stringify(call) + "\\n");
    const scoreOf = (text) => (/Fridays|noon/.test(text) ? 0.9 : 0.05);`;
  const program = folder.write(
    "node_modules/@tobilu/qmd/dist/cli/qmd.js",
    `#!${process.execPath}
    ${note}
    import { spawnSync } from "node:child_process";
    const given = process.argv.slice(2);
    note(given);
    const at = given.indexOf("query");
    const isPlain = at !== -1 && !/^(?:lex|vec|intent):/m.test(given[at + 1]);
    const asked = given.map((word, index) => (isPlain && index === at + 1 ? "lex: ship" : word));
    const isReranked = at !== -1 && !given.includes("--no-rerank");
    const words = isReranked ? [...asked, "--no-rerank"] : asked;
    const { stdout, stderr, status } = spawnSync(process.execPath, [${JSON.stringify(join(packageFolder, "dist/cli/qmd.js"))}, ...words], { encoding: "utf8" });
    process.stderr.write(stderr);
    if (!isReranked || /^no results/i.test(stdout)) process.stdout.write(stdout);
    else process.stdout.write(JSON.stringify(JSON.parse(stdout).map((result) => ({ ...result, explain: { ...result.explain, rerankScore: scoreOf(result.snippet) } }))));
    process.exitCode = status;`,
  );
  chmodSync(program, 0o755);
  if (way === "library") {
    folder.write(
      "node_modules/@tobilu/qmd/package.json",
      '{"name": "@tobilu/qmd", "version": "2.8.3", "type": "module"}',
    );
    folder.write(
      "node_modules/@tobilu/qmd/dist/index.js",
      `${note}
      import { createStore as create } from ${JSON.stringify(pathToFileURL(join(packageFolder, "dist/index.js")).href)};
      export async function createStore(options) {
        const store = await create(options);
        return {
          searchLex: (...asked) => store.searchLex(...asked),
          searchVector: (...asked) => store.searchVector(...asked),
          update: () => store.update(),
          close: () => store.close(),
          expandQuery: async (query) => {
            note({ expand: query });
            return [{ type: "lex", query: "ship" }, { type: "vec", query: "leaving the harbour" }];
          },
          search: async (asked) => {
            note({ rerank: asked });
            const found = await store.search({ ...asked, rerank: false });
            return found.map((hit) => ({ ...hit, explain: { ...hit.explain, rerankScore: scoreOf(hit.bestChunk) } }));
          },
        };
      }`,
    );
  } else folder.write("package.json", '{"type": "module"}');
  return { program, calls: () => (existsSync(calls) ? readFileSync(calls, "utf8") : "") };
}

/** A qmd model folder with these files, set in the environment while the test runs. */
function haveModels(t: TestContext, names: readonly string[]): void {
  const cache = makeTemporaryFolder(t);
  for (const name of names) cache.write(`qmd/models/hf_some_${name}`, "GGUF");
  const before = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = cache.dir;
  t.after(() => {
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
  });
}

function configure(qmd: NonNullable<NonNullable<PartialConfig["memory"]>["qmd"]>): PartialConfig {
  return withMemorySearch(
    { sync: { searchWaitMs: 60_000 } },
    { memory: { backend: "qmd", qmd: { timeoutMs: 600_000, searchMode: "query", ...qmd } } },
  );
}

suite("qmd's own models", () => {
  for (const way of ["library", "command line"] as const) {
    test(`word a question in other ways and rerank, by its ${way}, where they are there`, async (t) => {
      haveModels(t, Object.values(models));
      const qmd = writeQmd(t, way);
      const fixture = makeMemoryFixture(t, notes);
      const memory = await fixture.open({ config: configure({ command: qmd.program }) });
      const answer = await memory.search("on which weekday do boats leave?");
      assert.equal(answer.provider, "qmd", JSON.stringify(answer));
      assert.equal(answer.results[0]?.path, "memory/shipping.md", "found by another wording alone");
      assert.equal(answer.results[0].vectorScore, 0.9);
      assert.match(answer.results[0].snippet, /Fridays/);
      const kitchen = await memory.search("kitchen");
      assert.equal(kitchen.results[0]?.path, "memory/lunch.md", "the model prefers it to the other kitchen");
      const calls = qmd.calls();
      assert.match(
        calls,
        way === "library" ? /"expand":"on which weekday do boats leave\?"/ : /"on which weekday/,
      );
      assert.match(calls, /intent/);
      const described = JSON.stringify(await memory.status());
      assert.match(described, new RegExp(`query expansion by ${models.generate}`));
      assert.match(described, new RegExp(`reranking by ${models.rerank}`));
      assert.match(described, /no model for embedding/);
    });

    test(`are not asked by its ${way} where they are not there: words answer, and status says so`, async (t) => {
      haveModels(t, []);
      const qmd = writeQmd(t, way);
      const fixture = makeMemoryFixture(t, notes);
      const memory = await fixture.open({ config: configure({ command: qmd.program }) });
      const answer = await memory.search("when do we ship?");
      assert.deepEqual([answer.provider, answer.mode], ["qmd", "keyword"], JSON.stringify(answer));
      assert.equal(answer.results[0]?.path, "memory/shipping.md");
      assert.doesNotMatch(qmd.calls(), /"expand"|"rerank"|intent:/);
      if (way === "command line") assert.match(qmd.calls(), /--no-rerank/);
      const described = JSON.stringify(await memory.status());
      assert.match(described, /no model for query expansion/);
      assert.match(described, /no model for reranking/);
    });
  }

  for (const way of ["library", "command line"] as const) {
    test(`expand a question but do not rerank by its ${way} if rerank is off`, async (t) => {
      haveModels(t, Object.values(models));
      const qmd = writeQmd(t, way);
      const fixture = makeMemoryFixture(t, notes);
      const memory = await fixture.open({ config: configure({ command: qmd.program, rerank: false }) });
      const answer = await memory.search("on which weekday do boats leave?");
      assert.equal(answer.provider, "qmd", JSON.stringify(answer));
      assert.equal(answer.results[0]?.path, "memory/shipping.md");
      assert.equal(answer.results[0].vectorScore, null);
      assert.doesNotMatch(qmd.calls(), /"rerank"|intent:/);
      const described = JSON.stringify(await memory.status());
      assert.match(described, new RegExp(`query expansion by ${models.generate}`));
      assert.doesNotMatch(described, /reranking/);
    });
  }

  test("are not asked in the mode search", async (t) => {
    haveModels(t, Object.values(models));
    const qmd = writeQmd(t, "library");
    const fixture = makeMemoryFixture(t, notes);
    const memory = await fixture.open({ config: configure({ command: qmd.program, searchMode: "search" }) });
    assert.equal((await memory.search("when do we ship?")).results[0]?.path, "memory/shipping.md");
    assert.equal(qmd.calls(), "");
    assert.match(JSON.stringify(await memory.status()), /keyword search only/);
  });
});

test("qmd's limits hold in place of the usual ones, and its scope decides who may search", async (t) => {
  haveModels(t, []);
  const qmd = writeQmd(t, "library");
  const fixture = makeMemoryFixture(t, notes);
  const config = configure({
    command: qmd.program,
    searchMode: "search",
    limits: { maxResults: 1, maxInjectedChars: 500 },
    scope: { default: "deny", rules: [{ action: "allow", match: { chatType: "direct" } }] },
  });
  const memory = await fixture.open({ config });
  assert.equal((await memory.search("kitchen")).results.length, 1);
  assert.equal((await memory.search("kitchen", { maxResults: 2 })).results.length, 2);
  assert.equal(memory.limits.maxInjectedChars, 500);
  assert.equal((await memory.search("kitchen", { sessionKey: "agent:main:x:dm:7" })).results.length, 1);
  const denied = await memory.search("kitchen", { sessionKey: "agent:main:discord:channel:7" });
  assert.deepEqual(
    [denied.results, denied.degraded[0]],
    [[], "memory.qmd.scope does not allow searches in this session"],
  );
});

test("transcripts are searched where qmd's sessions are switched on", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const config: PartialConfig = { memory: { backend: "qmd", qmd: { sessions: { enabled: true } } } };
  const memory = await fixture.open({ config });
  const { degraded } = await memory.search("kitchen", { source: "sessions" });
  assert.doesNotMatch(degraded.join(), /transcripts of conversations are not indexed/);
});
