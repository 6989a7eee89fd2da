// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are tested here.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, beforeEach, test } from "node:test";
import { inspect } from "node:util";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { LonghandError } from "../errors.ts";
import type { PartialConfig } from "./options.ts";
import { resolveSettings, type SettingsRequest } from "./settings.ts";

const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "longhand-settings-")));
after(() => fs.rm(root, { recursive: true }));

/** A fresh home for each test. */
let home = "";
beforeEach(async () => {
  home = await fs.mkdtemp(path.join(root, "home-"));
});

function at(...parts: string[]): string {
  return path.join(home, ...parts);
}

async function makeWorkspace(...parts: string[]): Promise<string> {
  await fs.mkdir(at(...parts, "memory"), { recursive: true });
  return at(...parts);
}

async function writeConfig(config: unknown, file = at(".longhand", "longhand.json5")): Promise<string> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, JSON.stringify(config));
  return file;
}

function resolve(request: SettingsRequest = {}, env: Record<string, string> = {}) {
  return resolveSettings({ cwd: home, ...request, env: { HOME: home, USERPROFILE: home, ...env } });
}

test("without any configuration, the documented defaults apply", async () => {
  const settings = await resolve();
  assert.equal(settings.agentId, "main");
  assert.equal(settings.stateDir, at(".longhand"));
  assert.equal(settings.workspaceDir, at(".longhand", "workspace"));
  assert.deepEqual(settings.workspaceOrigin, { from: "default" });
  assert.equal(settings.configPath, null);
  assert.equal(settings.disabled, false);
  assert.equal(settings.userTimezone, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { flushPrompt, systemPrompt, ...rest } = withoutPrompts(settings);
  assert.match(flushPrompt, /\{note\}/);
  assert.match(flushPrompt, /NO_REPLY/);
  assert.match(systemPrompt, /[Aa]ppend/);
  assert.deepEqual(rest, {
    memorySearch: {
      enabled: true,
      sources: ["memory"],
      extraPaths: [],
      exclude: [],
      experimental: { sessionMemory: false },
      provider: "builtin",
      model: undefined,
      outputDimensionality: undefined,
      fallback: "none",
      remote: {
        baseUrl: undefined,
        apiKey: undefined,
        headers: {},
        allowPlainHttp: false,
        prompts: { query: undefined, document: undefined },
        concurrency: 4,
        batch: {
          enabled: false,
          minChunks: 500,
          wait: true,
          concurrency: 2,
          pollIntervalMs: 2000,
          timeoutMinutes: 60,
        },
      },
      local: {
        modelPath: "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
        modelCacheDir: at(".longhand", "models"),
        contextSize: 2048,
        prompts: { query: undefined, document: undefined },
      },
      store: {
        driver: "sqlite",
        path: at(".longhand", "memory", "main.longhand.sqlite"),
        url: undefined,
        vector: { enabled: true, extensionPath: undefined },
      },
      chunking: { tokens: 400, overlap: 80 },
      sync: {
        onSessionStart: true,
        onSearch: true,
        searchWaitMs: 300,
        watch: true,
        watchDebounceMs: 1500,
        intervalMinutes: 0,
        sessions: { deltaBytes: 100000, deltaMessages: 50 },
      },
      query: {
        maxResults: 6,
        minScore: 0.35,
        maxSnippetChars: 700,
        maxInjectedChars: 4000,
        vectorWaitMs: 1500,
        hybrid: {
          enabled: true,
          fusion: "weighted",
          vectorWeight: 0.7,
          textWeight: 0.3,
          candidateMultiplier: 4,
          temporalDecay: { enabled: false, halfLifeDays: 30, undated: "keep" },
          mmr: { enabled: false, lambda: 0.7 },
        },
      },
      cache: { enabled: true, maxEntries: 50000 },
      usage: { enabled: true },
    },
    compaction: {
      reserveTokensFloor: 20000,
      memoryFlush: { enabled: true, softThresholdTokens: 4000, fallback: "off" },
    },
    memory: {
      backend: "builtin",
      citations: "auto",
      qmd: {
        command: "qmd",
        searchMode: "search",
        rerank: true,
        updateIntervalMinutes: 5,
        timeoutMs: 4000,
        update: {
          interval: undefined,
          debounceMs: 0,
          embedInterval: "0",
          updateTimeoutMs: 120000,
          embedTimeoutMs: 900000,
        },
        limits: {
          maxResults: undefined,
          maxSnippetChars: undefined,
          maxInjectedChars: undefined,
          timeoutMs: undefined,
        },
        scope: { default: "allow", rules: [] },
        sessions: { enabled: false },
      },
    },
    consolidation: { archiveAfterDays: 180, planEveryHours: 0 },
    tools: { forget: false, consolidate: false },
    plugins: {
      slots: { memory: "memory-core" },
      memoryLancedb: { autoRecall: false, autoCapture: false, recallLimit: 5, captureLimit: 3 },
    },
    models: {
      providers: {
        openai: { apiKey: undefined, baseUrl: undefined, headers: {} },
        google: { apiKey: undefined, baseUrl: undefined, headers: {} },
        voyage: { apiKey: undefined, baseUrl: undefined, headers: {} },
      },
    },
  });
});

function withoutPrompts(settings: Awaited<ReturnType<typeof resolve>>) {
  const { memorySearch, compaction, memory, consolidation, tools, plugins, models } = settings;
  const { prompt: flushPrompt, systemPrompt, ...memoryFlush } = compaction.memoryFlush;
  return {
    flushPrompt,
    systemPrompt,
    memorySearch,
    compaction: { ...compaction, memoryFlush },
    memory,
    consolidation,
    tools,
    plugins,
    models,
  };
}

test("an agent's values override the defaults field by field, and the caller's override both", async () => {
  const file = await writeConfig({
    agents: {
      defaults: {
        userTimezone: "Asia/Tokyo",
        memorySearch: { query: { maxResults: 2, minScore: 0.1 }, chunking: { tokens: 200 } },
      },
      list: [
        { id: "other" },
        { id: "work", memorySearch: { query: { maxResults: 3 } }, compaction: { reserveTokensFloor: 9 } },
      ],
    },
  });
  const settings = await resolve({
    agent: "work",
    overrides: { agents: { defaults: { memorySearch: { chunking: { tokens: 100 } } } } },
  });
  const { query, chunking } = settings.memorySearch;
  assert.deepEqual([query.maxResults, query.minScore, chunking.tokens, chunking.overlap], [3, 0.1, 100, 80]);
  assert.equal(settings.compaction.reserveTokensFloor, 9);
  assert.equal(settings.userTimezone, "Asia/Tokyo");
  const origin = (key: string) => settings.origins.get(key);
  const inFile = (key: string) => ({ from: "file", path: file, key, variables: [] });
  assert.deepEqual(
    origin("memorySearch.query.maxResults"),
    inFile("agents.list[1].memorySearch.query.maxResults"),
  );
  assert.deepEqual(
    origin("memorySearch.query.minScore"),
    inFile("agents.defaults.memorySearch.query.minScore"),
  );
  assert.deepEqual(origin("memorySearch.chunking.tokens"), {
    from: "caller",
    key: "agents.defaults.memorySearch.chunking.tokens",
  });
  assert.deepEqual(origin("memorySearch.chunking.overlap"), { from: "default" });
});

test("extraPaths and exclude are the union, in order, without repeats", async () => {
  const file = await writeConfig({
    agents: {
      defaults: { memorySearch: { extraPaths: ["~/a", "docs"], exclude: ["x"] } },
      list: [
        {
          id: "work",
          workspace: "~/w",
          memorySearch: { extraPaths: ["/b", "./docs/", "~/a"], exclude: ["y", "x"] },
        },
      ],
    },
  });
  const settings = await resolve({ agent: "work" });
  assert.deepEqual(settings.memorySearch.extraPaths, [at("a"), at("w", "docs"), path.resolve(at("w"), "/b")]);
  assert.deepEqual(settings.memorySearch.exclude, ["x", "y"]);
  assert.deepEqual(settings.origins.get("memorySearch.exclude"), {
    from: "union",
    of: ["agents.defaults", "agents.list[0]"].map((place) => ({
      from: "file",
      path: file,
      key: `${place}.memorySearch.exclude`,
      variables: [],
    })),
  });
});

test("headers are merged by name", async () => {
  await writeConfig({
    agents: {
      defaults: { memorySearch: { remote: { headers: { A: "1", B: "1" } } } },
      list: [{ id: "work", memorySearch: { remote: { headers: { B: "2" } } } }],
    },
  });
  const { memorySearch, origins } = await resolve({ agent: "work" });
  const revealed = Object.entries(memorySearch.remote.headers).map(([name, value]) => [name, value.reveal()]);
  assert.deepEqual(revealed, [
    ["A", "1"],
    ["B", "2"],
  ]);
  assert.equal(origins.get("memorySearch.remote.headers.B")?.from, "file");
});

test("paths in the file start at its folder, at home or at the state folder", async () => {
  const config = await writeConfig(
    {
      agents: {
        defaults: {
          workspace: "notes",
          memorySearch: {
            local: { modelPath: "m.gguf", modelCacheDir: "<state>/m" },
            store: { path: "~/i/{agentId}.db" },
          },
        },
      },
      memory: { qmd: { command: "./bin/qmd" } },
    },
    at("etc", "my.json5"),
  );
  const settings = await resolve({ config: "etc/my.json5", stateDir: "state" });
  assert.equal(settings.configPath, config);
  assert.equal(settings.stateDir, at("state"));
  assert.equal(settings.workspaceDir, at("etc", "notes"));
  assert.equal(settings.memorySearch.local.modelPath, at("etc", "m.gguf"));
  assert.equal(settings.memorySearch.local.modelCacheDir, at("state", "m"));
  assert.equal(settings.memorySearch.store.path, at("i", "main.db"));
  assert.equal(settings.memory.qmd.command, at("etc", "bin", "qmd"));
});

test("state folder and configuration file come from the caller, otherwise from the environment", async () => {
  await writeConfig({ tools: { forget: true } }, at("conf.json5"));
  const env = { LONGHAND_STATE_DIR: "~/s", LONGHAND_CONFIG: "~/conf.json5" };
  const byEnvironment = await resolve({}, env);
  assert.equal(byEnvironment.stateDir, at("s"));
  assert.equal(byEnvironment.tools.forget, true);
  assert.deepEqual(byEnvironment.origins.get("stateDir"), {
    from: "environment",
    variable: "LONGHAND_STATE_DIR",
  });
  const byCaller = await resolve({ stateDir: at("t"), config: os.devNull }, env);
  assert.equal(byCaller.stateDir, at("t"));
  assert.equal(byCaller.tools.forget, false);
  await assert.rejects(resolve({ config: "missing.json5" }), {
    code: "config-invalid",
    message: /does not exist/,
  });
});

test("the workspace comes from the caller, the environment, the agent, the nearest folder or the default", async () => {
  const nearest = await makeWorkspace("project");
  const cwd = at("project", "src");
  await fs.mkdir(cwd);
  const env = { LONGHAND_WORKSPACE: at("by-env") };
  assert.equal((await resolve({ cwd })).workspaceDir, nearest);
  await writeConfig({
    agents: { defaults: { workspace: "~/by-config" }, list: [{ id: "work", workspace: "~/work" }] },
  });
  assert.equal((await resolve({ cwd })).workspaceDir, at("by-config"));
  assert.equal((await resolve({ cwd, agent: "work" })).workspaceDir, at("work"));
  assert.equal((await resolve({ cwd, agent: "unknown" })).workspaceDir, at("by-config"));
  assert.equal((await resolve({ cwd }, env)).workspaceDir, at("by-env"));
  const overrides: PartialConfig = { agents: { defaults: { workspace: "by-override" } } };
  assert.equal((await resolve({ cwd, overrides }, env)).workspaceDir, at("project", "src", "by-override"));
  const byFlag = await resolve({ cwd, overrides, workspace: "by-flag" }, env);
  assert.equal(byFlag.workspaceDir, at("project", "src", "by-flag"));
  assert.deepEqual(byFlag.workspaceOrigin, { from: "caller", key: "workspace" });
});

test("the state folder is not mistaken for a workspace", async () => {
  await fs.mkdir(at(".longhand", "memory"), { recursive: true });
  assert.equal((await resolve({ cwd: at(".longhand") })).workspaceDir, at(".longhand", "workspace"));
  const elsewhere = await resolve({ cwd: at(".longhand"), stateDir: at("other") });
  assert.equal(elsewhere.workspaceDir, at("other", "workspace"));
});

test("a folder without a configured agent gets one, the same by every path to it", {
  skip: skipWithoutLinks,
}, async () => {
  const workspace = await makeWorkspace("My Notes");
  const hash = createHash("sha256").update(workspace).digest("hex").slice(0, 6);
  const settings = await resolve({ workspace });
  assert.equal(settings.agentId, `My-Notes-${hash}`);
  assert.equal(
    settings.memorySearch.store.path,
    at(".longhand", "memory", `My-Notes-${hash}.longhand.sqlite`),
  );
  await fs.symlink(workspace, at("link"), "dir");
  assert.equal((await resolve({ workspace: "link" })).agentId, settings.agentId);
  assert.notEqual(
    (await resolve({ workspace: await makeWorkspace("x", "My Notes") })).agentId,
    settings.agentId,
  );
});

test("a configured agent is recognised by its workspace, also through a link", {
  skip: skipWithoutLinks,
}, async () => {
  await makeWorkspace("work");
  await fs.symlink(at("work"), at("link"), "dir");
  await writeConfig({ agents: { list: [{ id: "worker", workspace: "~/link" }] } });
  const settings = await resolve({ cwd: at("work", "memory") });
  assert.equal(settings.agentId, "worker");
  assert.equal(settings.workspaceDir, at("work"));
  assert.equal(settings.origins.get("agentId")?.from, "file");
});

test("main has the default workspace, and only that one", async () => {
  assert.equal((await resolve({ workspace: at(".longhand", "workspace") })).agentId, "main");
  await writeConfig({ agents: { defaults: { workspace: "~/notes" } } });
  assert.equal((await resolve()).agentId, "main");
  assert.equal((await resolve({ workspace: "notes" })).agentId, "main");
  assert.match(
    (await resolve({ workspace: at(".longhand", "workspace") })).agentId,
    /^workspace-[0-9a-f]{6}$/,
  );
});

test("a workspace with the agent's name in it belongs to that agent", async () => {
  await writeConfig({
    agents: { defaults: { workspace: "~/agents/{agentId}" }, list: [{ id: "a" }, { id: "b" }] },
  });
  assert.equal((await resolve({ agent: "b" })).workspaceDir, at("agents", "b"));
  assert.equal((await resolve({ workspace: at("agents", "b") })).agentId, "b");
  assert.deepEqual((await resolve()).workspaceDir, at("agents", "main"));
});

test("a named agent need not be in the list, but must be safe as a file name", async () => {
  assert.equal((await resolve({ agent: "guest" })).agentId, "guest");
  assert.equal((await resolve({}, { LONGHAND_AGENT: "guest" })).agentId, "guest");
  for (const agent of ["../x", ".x", "a b", "a".repeat(65)]) {
    await assert.rejects(resolve({ agent }), { code: "config-invalid", message: /cannot name an agent/ });
  }
  await assert.rejects(resolve({}, { LONGHAND_AGENT: "/" }), { message: /LONGHAND_AGENT/ });
});

test("keys are secrets wherever they come from, and no part of the settings shows them", async () => {
  await writeConfig({
    agents: {
      defaults: {
        memorySearch: {
          remote: { apiKey: "${REMOTE}", headers: { "X-Key": "hunter2" } },
          store: { url: "postgres://u:hunter2@db/n" },
        },
      },
    },
    models: { providers: { google: { apiKey: "hunter2" } } },
  });
  const env = {
    REMOTE: "hunter2",
    OPENAI_API_KEY: "hunter2\n",
    GOOGLE_API_KEY: "hunter2",
    VOYAGE_API_KEY: "",
  };
  const settings = await resolve({}, env);
  assert.equal(settings.memorySearch.remote.apiKey?.reveal(), "hunter2");
  assert.equal(settings.models.providers.openai.apiKey?.reveal(), "hunter2");
  assert.equal(settings.models.providers.voyage.apiKey, undefined);
  assert.equal(`${settings.memorySearch.store.url}`, "postgres://[secret]@db/n");
  assert.deepEqual(settings.origins.get("models.providers.openai.apiKey"), {
    from: "environment",
    variable: "OPENAI_API_KEY",
  });
  assert.equal(settings.origins.get("models.providers.google.apiKey")?.from, "file");
  const shown =
    JSON.stringify(settings) +
    JSON.stringify([...settings.origins]) +
    inspect(settings, { depth: 20, showHidden: true });
  assert.doesNotMatch(shown, /hunter2/);
});

test("PostgreSQL without an address is refused, and the hint says how to set one", async () => {
  await writeConfig({ agents: { defaults: { memorySearch: { store: { driver: "postgres" } } } } });
  await assert.rejects(resolve(), {
    code: "config-invalid",
    message: /store\.url must be set/,
    hint: /longhand config set memorySearch\.store\.url/,
  });
});

test("the weights of the two searches are scaled to sum 1", async () => {
  const weights = async (hybrid: { vectorWeight?: number; textWeight?: number }) => {
    const overrides = { agents: { defaults: { memorySearch: { query: { hybrid } } } } };
    const { vectorWeight, textWeight } = (await resolve({ overrides })).memorySearch.query.hybrid;
    return [vectorWeight, textWeight];
  };
  assert.deepEqual(await weights({ vectorWeight: 3, textWeight: 1 }), [0.75, 0.25]);
  assert.deepEqual(await weights({ vectorWeight: 0 }), [0, 1]);
  await assert.rejects(weights({ vectorWeight: 0, textWeight: 0 }), {
    message: /query\.hybrid\.vectorWeight and textWeight must not both be 0/,
  });
});

test("contradictory values are errors that name where they are set", async () => {
  const file = await writeConfig({
    agents: {
      defaults: { memorySearch: { chunking: { tokens: 64 } } },
      list: [{ id: "s", memorySearch: { sources: ["memory", "sessions"], chunking: { overlap: 10 } } }],
    },
  });
  await assert.rejects(resolve(), (error: unknown) => {
    assert.ok(error instanceof LonghandError);
    const overlap =
      "agents.defaults.memorySearch.chunking.overlap must be less than chunking.tokens (64), but is 80";
    assert.equal(error.message, `Cannot use ${file}: ${overlap}.`);
    return true;
  });
  await assert.rejects(resolve({ agent: "s" }), {
    message:
      /agents\.list\[0\]\.memorySearch\.sources has "sessions", which needs .*experimental\.sessionMemory/,
  });
  const overrides: PartialConfig = {
    agents: { defaults: { memorySearch: { experimental: { sessionMemory: true } } } },
  };
  assert.deepEqual((await resolve({ agent: "s", overrides })).memorySearch.sources, ["memory", "sessions"]);
});

test("memory is disabled if it is not enabled or its slot is empty", async () => {
  const off = async (overrides: PartialConfig) => (await resolve({ overrides })).disabled;
  assert.equal(await off({ agents: { defaults: { memorySearch: { enabled: false } } } }), true);
  assert.equal(await off({ plugins: { slots: { memory: "none" } } }), true);
  assert.equal(await off({}), false);
});

test("an unusable state folder is an error that says why", { skip: skipWithoutLinks }, async () => {
  await fs.symlink(at("loop"), at("loop"));
  await fs.symlink(at("nowhere"), at("dangling"));
  await fs.writeFile(at("file"), "");
  for (const [stateDir, why] of [
    [at("loop"), /symbolic links lead in a circle/],
    [at("loop", "below"), /symbolic links lead in a circle/],
    [at("dangling"), /dangling is a symbolic link to a folder that does not exist/],
    [at("file"), /file is not a folder/],
    [at("file", "below"), /file is not a folder/],
  ] as const) {
    const error = await resolve({ stateDir }).then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof LonghandError && error.code === "config-invalid");
    assert.match(error.message, why);
    assert.match(error.hint ?? "", /--state-dir/);
  }
});
