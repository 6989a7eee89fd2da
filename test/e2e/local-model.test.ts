import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { openModelServer } from "../support/model-server.ts";
import { skipWithoutLlama } from "../support/platform.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { makeTinyModel } from "../support/tiny-gguf.ts";

const content = makeTinyModel();

interface SearchResult {
  readonly results: readonly { readonly path: string; readonly vectorScore: number | null }[];
  readonly mode: string;
  readonly provider: string;
  readonly degraded: readonly string[];
}

function setUp(t: TestContext, memorySearch: object): CliFixture {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Decisions\n\nReleases are deployed on Fridays.\n");
  fixture.write("memory/animals.md", "# Zoo\n\nQuokkas hop.\n");
  const query = { minScore: 0, vectorWaitMs: 60_000 };
  const config = { agents: { defaults: { memorySearch: { query, ...memorySearch } } } };
  fixture.write("config.json", JSON.stringify(config));
  return fixture;
}

test("Notes are indexed and searched with a model on this machine", { skip: skipWithoutLlama }, async (t) => {
  const fixture = setUp(t, { provider: "local", local: { modelPath: "tiny.gguf" } });
  fixture.write("tiny.gguf", content);
  const indexed = await fixture.json("index", "--config", "config.json");
  assert.deepEqual([indexed.code, indexed.stderr], [0, ""]);
  const report = indexed.value as { embedded: number; degraded: string[] };
  assert.deepEqual([report.embedded, report.degraded], [2, []]);

  const { value } = await fixture.json("search", "deploying a release", "--config", "config.json");
  const { results, mode, provider, degraded } = value as SearchResult;
  assert.deepEqual({ mode, provider, degraded }, { mode: "hybrid", provider: "local", degraded: [] });
  assert.equal(results[0]?.path, "MEMORY.md");
  assert.ok(results[0]?.vectorScore !== null);

  const { value: status } = await fixture.json("status", "--config", "config.json");
  const { model, vector } = status as { model: string; vector: { dims: number; available: boolean } };
  assert.deepEqual([model, vector.dims, vector.available], ["tiny", 64, true]);
});

test("Instead of a damaged model the builtin one answers, and the reason is reported", async (t) => {
  const fixture = setUp(t, { provider: "local", local: { modelPath: "tiny.gguf" } });
  fixture.write("tiny.gguf", content.subarray(0, 9000));
  const indexed = await fixture.run("index", "--config", "config.json");
  assert.equal(indexed.code, 0);
  assert.match(indexed.stderr, /tiny\.gguf cannot be used/);
  const { value } = await fixture.json("search", "deployed", "--config", "config.json");
  const { results, provider, degraded } = value as SearchResult;
  assert.deepEqual([provider, results[0]?.path], ["builtin", "MEMORY.md"]);
  assert.match(degraded.join(), /tiny\.gguf cannot be used/);
});

test("With auto the local model is used if its file exists, and nothing is downloaded otherwise", async (t) => {
  const fixture = setUp(t, { provider: "auto", local: { modelCacheDir: "models" } });
  const providerOf = async () => {
    const { value } = await fixture.json("status", "--config", "config.json");
    return (value as { provider: string }).provider;
  };
  assert.equal(await providerOf(), "builtin");
  const stick = fixture.write("stick/tiny.gguf", content);
  const installed = await fixture.json("models", "install", "--from", stick, "--config", "config.json");
  assert.equal(installed.code, 0);
  assert.equal(await providerOf(), "local");
});

test("If selected by name, the model is downloaded by index and not by search", {
  skip: skipWithoutLlama,
}, async (t) => {
  const server = await openModelServer(t, content);
  const modelPath = `${server.url}/tiny.gguf`;
  const fixture = setUp(t, { provider: "local", local: { modelPath } });
  const { value } = await fixture.json("search", "deployed", "--config", "config.json");
  const { provider, degraded } = value as SearchResult;
  assert.equal(provider, "builtin");
  assert.match(degraded.join(), /longhand models install/);
  assert.deepEqual(server.requests, []);

  server.behave({ status: 404 });
  const failed = await fixture.json("index", "--config", "config.json");
  assert.equal(failed.code, 0, "words are indexed all the same");
  assert.match((failed.value as { degraded: string[] }).degraded.join(), /answered with 404/);

  server.behave({});
  const indexed = await fixture.json("index", "--config", "config.json");
  const report = indexed.value as { embedded: number; degraded: string[] };
  assert.deepEqual([report.embedded, report.degraded], [2, []]);
  const { value: again } = await fixture.json("search", "deployed", "--config", "config.json");
  assert.equal((again as SearchResult).provider, "local");
});

test("models: list, path and install, with an interrupted connection", async (t) => {
  const fixture = setUp(t, {});
  const server = await openModelServer(t, content);
  const url = `${server.url}/models/tiny.gguf`;
  const before = await fixture.json("models", "path");
  const configured = path.join(
    fixture.stateDir,
    "models/ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
  );
  assert.deepEqual(before.value, { path: configured, exists: false });

  server.behave({ status: 404 });
  const failed = await fixture.json("models", "install", url);
  assert.equal(failed.code, 1);
  assert.equal((failed.value as { error: { code: string } }).error.code, "download-failed");

  server.behave({ cutAfterBytes: 200_000 });
  const installed = await fixture.json("models", "install", url);
  const { path: file } = installed.value as { path: string };
  assert.deepEqual(installed.value, { path: file, sizeBytes: content.length, alreadyThere: false });
  assert.deepEqual(new Uint8Array(readFileSync(file)), content);
  assert.ok(server.requests.some((request) => /^GET.*bytes=\d+-$/.test(request)));

  const { value: list } = await fixture.json("models", "list");
  const { models } = list as { models: { path: string; state: string; configured: boolean }[] };
  assert.deepEqual(
    models.map((model) => [model.path, model.state, model.configured]),
    [[file, "ready", false]],
  );
  const shown = await fixture.run("models", "list");
  assert.match(shown.stdout, /tiny\.gguf {2}306 kB, 64 dimensions/);
  const wrong = await fixture.run("models", "list", "more");
  assert.equal(wrong.code, 2);
});

test("The process of the model is given no key", {
  skip: skipWithoutLlama || (existsSync("/proc/self/environ") ? false : "there is no /proc here"),
}, async (t) => {
  process.env["OPENAI_API_KEY"] = "canary-81ab";
  t.after(() => delete process.env["OPENAI_API_KEY"]);
  const modelPath = makeTemporaryFolder(t).write("tiny.gguf", content);
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "Releases are deployed on Fridays.\n" });
  const memory = await fixture.open({
    config: withMemorySearch({ provider: "local", local: { modelPath } }),
  });
  assert.equal((await memory.sync()).embedded, 1);
  const children = childrenOf(process.pid).filter(({ command }) => command.includes("embedders/local/child"));
  assert.equal(children.length, 1);
  assert.match(children[0]!.environment, /PATH=/);
  assert.doesNotMatch(children[0]!.environment, /canary|API_KEY/);
  await memory.close();
  assert.deepEqual(childrenOf(process.pid), []);
});

function childrenOf(parent: number): { pid: number; command: string; environment: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // "pid (name) state parent …", and a name may contain spaces.
        const parentPid = readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1];
        if (Number(parentPid) !== parent) return [];
        const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
        return [{ pid: Number(pid), command: read("cmdline"), environment: read("environ") }];
      } catch {
        // It exited meanwhile.
        return [];
      }
    });
}

test("When the process of the model is killed the builtin model answers, and the model again after a pause", {
  skip: skipWithoutLlama || (existsSync("/proc/self/environ") ? false : "there is no /proc here"),
}, async (t) => {
  const fixture = makeMemoryFixture(t, {
    "memory/car.md": "The car broke down.\n",
    "memory/tea.md": "Ada drinks tea.\n",
  });
  const modelPath = makeTemporaryFolder(t).write("tiny.gguf", content);
  const clock = { now: new Date("2026-11-15T12:00:00Z") };
  const config = withMemorySearch({ provider: "local", local: { modelPath } });
  const memory = await fixture.open({ config, now: () => clock.now });
  await memory.sync();
  assert.equal((await memory.search("automobile")).provider, "local");
  // A query in progress when the process exits.
  const [pid] = childrenOf(process.pid).map((child) => child.pid);
  process.kill(pid!, "SIGSTOP");
  const asked = memory.search("automobile");
  process.kill(pid!, "SIGKILL");
  const answer = await asked;
  // The next call may come after the exit is known, and starts another process.
  if (answer.provider === "builtin") {
    assert.match(answer.degraded.join(), /local cannot be used: .*SIGKILL.*; builtin takes over/);
    assert.equal(answer.results[0]?.path, "memory/car.md");
    assert.equal((await memory.status()).fallback?.from, "local");
  }
  clock.now = new Date(clock.now.getTime() + 60_000);
  assert.equal((await memory.search("automobile")).provider, "local");
  assert.equal((await memory.status()).fallback, undefined);
});
