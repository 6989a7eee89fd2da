// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are tested here.
// biome-ignore-all lint/suspicious/noExplicitAny: a part of a configuration that was just made.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { skipOnWindows } from "../../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { checkConfig } from "../check.ts";
import { configOptions } from "../options.ts";
import { resolveSettings } from "../settings.ts";
import { translateOpenclaw } from "./translate-openclaw.ts";

const translate = (value: unknown, keys: "keep" | "leave" = "leave") =>
  translateOpenclaw({ value, stateDir: "/h/.openclaw", home: "/h", exists: () => false, keys, env: null });

/** A configuration as people have it, in the layout of 2026.1 to 2026.8. */
const usual = {
  meta: { lastTouchedVersion: "2026.4.1" },
  wizard: { lastRunAt: "2026-04-01T10:00:00Z" },
  gateway: { mode: "local", auth: { token: "secret" } },
  channels: { telegram: { botToken: "123:abc" } },
  session: { dmScope: "main" },
  agents: {
    defaults: {
      model: { primary: "anthropic/claude" },
      workspace: "~/clawd",
      userTimezone: "Europe/Riga",
      compaction: {
        mode: "safeguard",
        reserveTokensFloor: 30000,
        memoryFlush: { softThresholdTokens: 5000 },
      },
      memorySearch: {
        provider: "openai",
        model: "text-embedding-3-small",
        sources: ["memory", "sessions"],
        experimental: { sessionMemory: true },
        remote: { batch: { enabled: true } },
        store: { path: "~/.openclaw/memory/{agentId}.sqlite", vector: { enabled: true } },
        query: { maxResults: 8, hybrid: { vectorWeight: 0.6, textWeight: 0.4 } },
        multimodal: { enabled: true },
      },
    },
    list: [
      { id: "Main", default: true, identity: { name: "Clawd" } },
      { id: "work", workspace: "~/work", memorySearch: { query: { maxResults: 3 } } },
      { id: "side" },
    ],
  },
  memory: { backend: "builtin", citations: "on" },
  models: { providers: { openai: { apiKey: "sk-real", baseUrl: "https://api.openai.com/v1", models: [] } } },
  plugins: { slots: { memory: "memory-core" }, entries: { "memory-core": { enabled: true } } },
};

suite("A configuration of OpenClaw", { skip: skipOnWindows("its paths are those of POSIX") }, () => {
  test("is translated: memory settings are imported, unsupported ones are reported, the rest is ignored", () => {
    const { values, left, keys, otherParts, agents } = translate(usual);
    assert.deepEqual(values, {
      agents: {
        defaults: {
          workspace: "/h/clawd",
          userTimezone: "Europe/Riga",
          compaction: { reserveTokensFloor: 30000, memoryFlush: { softThresholdTokens: 5000 } },
          memorySearch: {
            provider: "openai",
            model: "text-embedding-3-small",
            sources: ["memory", "sessions"],
            experimental: { sessionMemory: true },
            remote: { batch: { enabled: true } },
            store: { vector: { enabled: true } },
            query: { maxResults: 8, hybrid: { vectorWeight: 0.6, textWeight: 0.4 } },
          },
        },
        list: [
          { id: "main", workspace: "/h/clawd" },
          { id: "work", workspace: "/h/work", memorySearch: { query: { maxResults: 3 } } },
          { id: "side", workspace: "/h/clawd/side" },
        ],
      },
      memory: { backend: "builtin", citations: "on" },
      plugins: { slots: { memory: "memory-core" } },
      models: { providers: { openai: { baseUrl: "https://api.openai.com/v1" } } },
    });
    assert.deepEqual(left, [
      {
        key: "agents.defaults.memorySearch.store.path",
        reason: "it is OpenClaw's own index; longhand keeps one of its own",
      },
      { key: "agents.defaults.memorySearch.multimodal", reason: "longhand has no such setting" },
    ]);
    assert.deepEqual(keys, [{ key: "models.providers.openai.apiKey", variable: "OPENAI_API_KEY" }]);
    assert.deepEqual(otherParts, ["meta", "wizard", "gateway", "channels", "session"]);
    assert.deepEqual(agents, ["main", "work", "side"]);
    assert.doesNotMatch(JSON.stringify({ values, left, keys }), /sk-real|123:abc/);
  });

  test("is translated from the layout of 2026.9, whose keys the messages name", () => {
    const { values, left } = translate({
      memory: {
        search: {
          provider: "gemini",
          outputDimensionality: 768,
          rememberAcrossConversations: true,
          inputType: "x",
        },
      },
      agents: { entries: { home: { memory: { search: { provider: "voyage", fallback: "mistral" } } } } },
    });
    assert.deepEqual(values["agents"], {
      defaults: {
        workspace: "/h/.openclaw/workspace",
        memorySearch: {
          provider: "gemini",
          outputDimensionality: 768,
          sources: ["memory", "sessions"],
          experimental: { sessionMemory: true },
        },
      },
      list: [{ id: "home", workspace: "/h/.openclaw/workspace", memorySearch: { provider: "voyage" } }],
    });
    assert.deepEqual(left, [
      { key: "agents.entries.home.memory.search.fallback", reason: '"mistral" is not supported' },
      { key: "memory.search.inputType", reason: "longhand has no such setting" },
    ]);
  });

  test("is translated from the first layout", () => {
    const { values } = translate({ agent: { workspace: "~/notes", memorySearch: { provider: "none" } } });
    assert.deepEqual(values["agents"], {
      defaults: { workspace: "/h/notes", memorySearch: { provider: "none" } },
    });
  });

  test("contains references to keys, never keys", () => {
    const search = {
      provider: "my-gpu",
      remote: { headers: { "x-team": "${TEAM}", authorization: "Bearer abc" } },
    };
    const providers = {
      "my-gpu": { api: "openai-completions", baseUrl: "http://gpu.local:8000/v1", apiKey: "${GPU_KEY}" },
      openai: { apiKey: "${OPENAI_API_KEY}" },
      google: { apiKey: { source: "env", provider: "default", id: "MY_GEMINI" } },
      voyage: { apiKey: { source: "exec", provider: "op", id: "x" } },
    };
    const { values, left, keys } = translate({ memory: { search }, models: { providers } });
    assert.deepEqual((values["agents"] as any).defaults.memorySearch, {
      provider: "openai",
      remote: {
        apiKey: "${GPU_KEY}",
        headers: { "x-team": "${TEAM}" },
        baseUrl: "http://gpu.local:8000/v1",
      },
    });
    assert.deepEqual(values["models"], { providers: { google: { apiKey: "${MY_GEMINI}" } } });
    assert.deepEqual(
      left.map(({ key, reason }) => `${key}: ${reason}`),
      ["models.providers.voyage.apiKey: a key from exec cannot be read; export VOYAGE_API_KEY"],
    );
    assert.deepEqual(
      keys.map(({ key }) => key),
      ["memory.search.remote.headers.authorization"],
    );
    assert.equal(
      (translate({ models: { providers: { openai: { apiKey: "sk-x" } } } }, "keep").values["models"] as any)
        .providers.openai.apiKey,
      "sk-x",
      "where the file is used in place, nothing is copied",
    );
  });

  for (const [provider, expected] of [
    ["ollama", "http://127.0.0.1:11434/v1"],
    ["lmstudio", "http://127.0.0.1:1234/v1"],
    ["mistral", "https://api.mistral.ai/v1"],
    ["deepinfra", "https://api.deepinfra.com/v1/openai"],
    ["bedrock", undefined],
    ["openai-compatible", undefined],
  ] as const) {
    test(`with the provider ${provider} ${expected ? "asks a compatible service" : "names it as not supported"}`, () => {
      const { values, left } = translate({ memory: { search: { provider, model: "m" } } });
      const search = (values["agents"] as any).defaults.memorySearch;
      if (expected) assert.deepEqual([search.provider, search.remote.baseUrl], ["openai", expected]);
      else {
        assert.equal(search, undefined);
        assert.equal(left[0]?.key, "memory.search.provider");
      }
    });
  }

  const searchOf = (search: object, providers: object = {}, keys: "keep" | "leave" = "leave") =>
    (translate({ memory: { search }, models: { providers } }, keys).values["agents"] as any).defaults
      .memorySearch;

  test("gives compatible services the model that OpenClaw uses, without its prefix", () => {
    const modelOf = (provider: string, model?: string) => searchOf({ provider, model }).model;
    assert.equal(modelOf("ollama"), "nomic-embed-text");
    assert.equal(modelOf("mistral", "  "), "mistral-embed");
    assert.equal(modelOf("mistral", "  mistral/custom-embed "), "custom-embed");
    assert.equal(modelOf("mistral", "mistral-embed"), "mistral-embed");
    assert.equal(searchOf({ provider: "openai", model: "" }).model, undefined);
    const gpu = {
      "ollama-5080": { api: "ollama", baseUrl: "http://gpu.local:11435", apiKey: "ollama-local" },
    };
    assert.deepEqual(searchOf({ provider: "ollama-5080", model: "ollama-5080/qwen3" }, gpu, "keep"), {
      provider: "openai",
      model: "qwen3",
      remote: { baseUrl: "http://gpu.local:11435/v1", apiKey: "" },
    });
  });

  test("never sends the key for OpenAI to another service", () => {
    const keyOf = (search: object, providers?: object, keys?: "keep" | "leave") =>
      searchOf(search, providers, keys).remote.apiKey;
    const remote = { baseUrl: "https://embeddings.example/v1" };
    assert.equal(keyOf({ provider: "openai-compatible", remote }), "");
    assert.equal(keyOf({ provider: "ollama" }), "");
    assert.equal(keyOf({ provider: "mistral" }), "${MISTRAL_API_KEY}");
    assert.equal(keyOf({ provider: "mistral", remote: { apiKey: " " } }), "${MISTRAL_API_KEY}");
    assert.equal(keyOf({ provider: "mistral" }, { mistral: { apiKey: "literal-key" } }), "");
    assert.equal(
      keyOf({ provider: "mistral" }, { mistral: { apiKey: "literal-\nkey\r\n" } }, "keep"),
      "literal-key",
    );
    const pasted = translate({
      memory: { search: { provider: "mistral", remote: { apiKey: "literal-key" } } },
    });
    assert.deepEqual(pasted.keys, [{ key: "memory.search.remote.apiKey", variable: null }]);
    const unset = { provider: "openai-compatible", remote: { ...remote, apiKey: "${NOT_SET}" } };
    const used = translateOpenclaw({
      value: { memory: { search: unset } },
      stateDir: "/home/ada/.openclaw",
      home: "/home/ada",
      exists: () => false,
      keys: "keep",
      env: {},
    });
    assert.equal((used.values["agents"] as any).defaults.memorySearch.remote.apiKey, "");
    assert.match(used.left[0]?.reason ?? "", /NOT_SET is not set/);
    assert.equal(searchOf({ provider: "openai", remote: { apiKey: "" } }).remote, undefined);
  });

  test("with a provider that has another API, reports it as not supported", () => {
    const { left } = translate({
      memory: { search: { provider: "mine" } },
      models: { providers: { mine: { api: "anthropic-messages", baseUrl: "https://example.com" } } },
    });
    assert.equal(left[0]?.key, "memory.search.provider");
  });

  test("keeps the settings of qmd, and names those that are not supported", () => {
    const { values, left } = translate({
      memory: {
        backend: "qmd",
        qmd: {
          command: "/opt/qmd",
          searchMode: "query",
          includeDefaultMemory: true,
          paths: [
            { path: "~/docs", name: "docs" },
            { path: "~/code", pattern: "**/*.ts" },
          ],
          sessions: { enabled: true, retentionDays: 30 },
          update: { interval: "5m", debounceMs: 15000, embedInterval: "60m", onBoot: true },
          limits: { maxResults: 6, timeoutMs: 4000 },
          scope: { default: "deny", rules: [{ action: "allow", match: { chatType: "direct" } }] },
        },
      },
    });
    assert.deepEqual(values["memory"], {
      backend: "qmd",
      qmd: {
        command: "/opt/qmd",
        searchMode: "query",
        sessions: { enabled: true },
        update: { interval: "5m", debounceMs: 15000, embedInterval: "60m" },
        limits: { maxResults: 6, timeoutMs: 4000 },
        scope: { default: "deny", rules: [{ action: "allow", match: { chatType: "direct" } }] },
      },
    });
    assert.deepEqual((values["agents"] as any).defaults.memorySearch.extraPaths, ["~/docs"]);
    assert.deepEqual(
      left.map(({ key }) => key),
      [
        "memory.qmd.paths[1]",
        "memory.qmd.includeDefaultMemory",
        "memory.qmd.sessions.retentionDays",
        "memory.qmd.update.onBoot",
      ],
    );
  });

  test("never allows more sessions because of an unknown rule of qmd", () => {
    const rules = [
      { action: "allow", match: { rawKeyPrefix: "agent:main:discord:" } },
      { action: "allow", match: { chatType: "thread", mood: "good" } },
      { action: "maybe", match: { channel: "slack" } },
      { action: "deny", match: { channel: "irc", mood: "bad" } },
    ];
    const { values, left } = translate({
      memory: { backend: "qmd", qmd: { scope: { default: "deny", rules } } },
    });
    assert.deepEqual((values["memory"] as any).qmd.scope.rules, [
      rules[0],
      { action: "deny", match: { channel: "irc" } },
    ]);
    assert.deepEqual(
      left.map(({ key }) => key.replace("memory.qmd.scope.", "")),
      ["rules[1].match.chatType", "rules[1].match.mood", "rules[2].action", "rules[3].match.mood"],
    );
  });

  test("accepts quoted programs, spaces around paths, and keys that name their variable", () => {
    const { values, left } = translate({
      agents: {
        defaults: {
          memorySearch: {
            provider: "gemini",
            remote: { apiKey: "GEMINI_API_KEY" },
            extraPaths: [" notes ", "", { path: " docs" }],
            sources: ["memory", "sessions"],
            experimental: { sessionMemory: true },
          },
        },
        list: [{ id: "main", memorySearch: { experimental: { sessionMemory: false } } }],
      },
      memory: { qmd: { command: '"/Applications/QMD Tools/qmd" --flag' } },
    });
    const { defaults, list } = values["agents"] as any;
    assert.deepEqual(defaults.memorySearch.extraPaths, ["notes", "docs"]);
    assert.deepEqual(list[0].memorySearch.sources, ["memory"]);
    assert.equal((values["memory"] as any).qmd.command, "/Applications/QMD Tools/qmd");
    assert.deepEqual(
      left.map(({ key }) => key),
      ["memory.qmd.command"],
    );
  });

  test("of any shape gives a valid configuration, and never throws", () => {
    const names = [
      "agents",
      "memory",
      "models",
      "plugins",
      "agent",
      "defaults",
      "list",
      "entries",
      "memorySearch",
    ];
    const more = [
      "search",
      "provider",
      "remote",
      "apiKey",
      "headers",
      "id",
      "workspace",
      "query",
      "sources",
      "qmd",
    ];
    const key = fc.oneof(fc.constantFrom(...names, ...more), fc.string());
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant("openai"));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "medium" },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const { values } = translate(any);
        assert.deepEqual(checkConfig({ options: configOptions, value: values, env: null }).problems, []);
      }),
      { numRuns: 500 },
    );
  });
});

suite("A state folder of OpenClaw", { skip: skipOnWindows("its paths are those of POSIX") }, () => {
  test("is used with the configuration in it, whatever else that contains", async (t) => {
    const folder = makeTemporaryFolder(t, {
      "openclaw.json": `{ // as people write it
        gateway: { port: 18789 }, channels: {}, env: { MY_KEY: "k-1" },
        $include: "more.json5",
        agents: { defaults: { workspace: "~/notes" } },
        models: { providers: { openai: { apiKey: "\${MY_KEY}" }, voyage: { apiKey: "\${NOT_SET}" } } },
      }`,
      "more.json5": "{ memory: { citations: 'off', qmd: { mcporter: { enabled: true } } } }",
    });
    const place = { stateDir: folder.dir, env: { HOME: "/h" }, cwd: folder.dir };
    const settings = await resolveSettings(place);
    assert.equal(settings.configPath, folder.at("openclaw.json"));
    assert.equal(settings.workspaceDir, "/h/notes");
    assert.equal(settings.memory.citations, "off");
    assert.equal(settings.models.providers.openai.apiKey?.reveal(), "k-1");
    assert.deepEqual(
      settings.unsupportedSettings.map(({ key }) => key),
      ["memory.qmd.mcporter", "models.providers.voyage.apiKey"],
    );
    folder.write("longhand.json5", "{ memory: { citations: 'on' } }");
    assert.equal((await resolveSettings(place)).configPath, folder.at("longhand.json5"), "ours wins");
  });

  test("may have its configuration under another name, given as --config", async (t) => {
    const folder = makeTemporaryFolder(t, { "my.json": JSON.stringify(usual) });
    const settings = await resolveSettings({
      config: folder.at("my.json"),
      stateDir: folder.at("state"),
      env: { HOME: "/h" },
    });
    assert.equal(settings.memorySearch.provider, "openai");
    assert.equal(settings.workspaceDir, "/h/clawd");
  });
});
