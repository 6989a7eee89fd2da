import { join } from "node:path";
import type { ProgramResult } from "../support/child-process.ts";
import { freePort, type HostFixture } from "./host-fixture.ts";

export interface AskOptions {
  readonly url: string;
  /** More options for the host. */
  readonly options?: readonly string[];
}

/** How to use a real host without a person. */
export interface HostDriver {
  /** Points the host at the scripted model, and answers in advance what it would ask the user. */
  prepare(fixture: HostFixture, modelUrl: string): Promise<void> | void;
  /** Steps that `init` leaves to the user: the commands that it prints. */
  finishSetup?(fixture: HostFixture): Promise<ProgramResult>;
  /** False if only the model uses longhand, so nothing is added to a prompt. */
  readonly hasHooks?: false;
  ask(fixture: HostFixture, prompt: string, model: AskOptions): Promise<ProgramResult>;
  /** Continues the last conversation in such a way that the host compacts it; absent if that is impossible. */
  compact?(fixture: HostFixture, modelUrl: string): Promise<ProgramResult>;
  /** The plugin in the host's own format: the commands that install it, and how to run with its tools allowed. */
  readonly package?: {
    readonly install: readonly (readonly string[])[];
    readonly askOptions: readonly string[];
  };
}

const root = join(import.meta.dirname, "..", "..");

const installForOpenCode = `mkdir -p ~/.config/opencode/plugin && cp "${join(root, "plugins", "opencode", "longhand.js")}" ~/.config/opencode/plugin/`;

export const drivers: Readonly<Record<string, HostDriver>> = {
  "claude-code": {
    prepare: () => {},
    ask: (fixture, prompt, { url, options = [] }) =>
      fixture.run("claude", ["-p", prompt, ...options], claudeEnvironment(url)),
    compact: (fixture, url) =>
      fixture.run("claude", ["-p", "--continue", "/compact"], claudeEnvironment(url)),
    package: {
      install: [
        ["claude", "plugin", "validate", join(root, "plugins", "longhand")],
        ["claude", "plugin", "marketplace", "add", root],
        ["claude", "plugin", "install", "longhand@longhand"],
      ],
      askOptions: ["--allowedTools", "mcp__plugin_longhand_longhand"],
    },
  },

  codex: {
    prepare(fixture, url) {
      fixture.write(
        join(fixture.home, ".codex", "config.toml"),
        [
          'model = "scripted"',
          'model_provider = "scripted"',
          "model_context_window = 100000",
          "model_auto_compact_token_limit = 80000",
          "[model_providers.scripted]",
          'name = "scripted"',
          `base_url = "${url}/v1"`,
          'env_key = "SCRIPTED_KEY"',
          'wire_api = "responses"',
          `[projects.${JSON.stringify(fixture.project)}]`,
          'trust_level = "trusted"',
          "",
        ].join("\n"),
      );
    },
    ask: (fixture, prompt) => fixture.run("codex", ["exec", ...codexOptions, prompt], codexEnvironment),
    package: {
      install: [
        ["codex", "plugin", "marketplace", "add", root],
        ["codex", "plugin", "add", "longhand@longhand"],
      ],
      askOptions: [],
    },
    compact: (fixture) =>
      fixture.run(
        "codex",
        ["exec", "resume", ...codexOptions, "--last", "Go on. [script end]"],
        codexEnvironment,
      ),
  },

  gemini: {
    prepare(fixture) {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        model: { compressionThreshold: 0.05 },
      };
      fixture.write(join(fixture.home, ".gemini", "settings.json"), JSON.stringify(settings));
      const trusted = { [join(root, "plugins", "gemini")]: "TRUST_FOLDER" };
      fixture.write(join(fixture.home, ".gemini", "trustedFolders.json"), JSON.stringify(trusted));
    },
    ask: askGemini,
    // It counts the tokens of one run only, so the model claims many of them in the run that should compact.
    compact: (fixture, url) =>
      askGemini(fixture, "Go on. [script read-on]", { url, options: ["--resume", "latest"] }),
    package: {
      install: [["gemini", "extensions", "install", "--consent", join(root, "plugins", "gemini")]],
      // An extension cannot mark its server as trusted.
      askOptions: ["--approval-mode", "yolo"],
    },
  },

  opencode: {
    prepare(fixture, url) {
      const model = { name: "scripted", limit: { context: 100_000, output: 8_000 } };
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options: { baseURL: `${url}/v1`, apiKey: "none" },
        models: { scripted: model },
      };
      const settings = {
        model: "scripted/scripted",
        autoupdate: false,
        share: "disabled",
        provider: { scripted: provider },
      };
      fixture.write(join(fixture.home, ".config", "opencode", "opencode.json"), JSON.stringify(settings));
    },
    ask: (fixture, prompt) => fixture.run("opencode", ["run", prompt], openCodeEnvironment),
    package: {
      install: [["sh", "-c", installForOpenCode]],
      askOptions: [],
    },
    compact: (fixture) =>
      fixture.run("opencode", ["run", "--continue", "Go on. [script end]"], openCodeEnvironment),
  },

  openclaw: {
    prepare: (fixture, url) =>
      fixture.write(
        join(fixture.home, ".openclaw", "openclaw.json"),
        JSON.stringify(openClawSettings(fixture, url)),
      ),
    finishSetup: (fixture) =>
      fixture.run("openclaw", [
        ...["plugins", "install", "--link", join(fixture.home, ".openclaw", "longhand", "plugin")],
        ...["--force", "--accept-capabilities"],
      ]),
    hasHooks: false,
    ask: (fixture, prompt) =>
      fixture.run("openclaw", ["agent", "--local", "--agent", "main", "--json", "--message", prompt]),
    // Only its gateway lets the model write before a compaction.
    async compact(fixture) {
      const port = await freePort();
      const env = { OPENCLAW_GATEWAY_PORT: `${port}`, OPENCLAW_GATEWAY_TOKEN: "scripted" };
      await using _ = await fixture.serve("openclaw", ["gateway", "run", "--allow-unconfigured"], {
        port,
        env,
      });
      const message = "Go on. [script end]";
      return await fixture.run("openclaw", ["agent", "--agent", "main", "--json", "--message", message], env);
    },
  },
};

function askGemini(
  fixture: HostFixture,
  prompt: string,
  { url, options = [] }: AskOptions,
): Promise<ProgramResult> {
  return fixture.run("gemini", ["-p", prompt, "-m", "gemini-2.5-pro", ...options], {
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: "none",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  });
}

function openClawSettings(fixture: HostFixture, url: string): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = { id: "scripted", name: "scripted", reasoning: false, input: ["text"], cost };
  const provider = {
    baseUrl: `${url}/v1`,
    apiKey: "none",
    api: "openai-completions",
    models: [{ ...model, contextWindow: 100_000, maxTokens: 8_000 }],
  };
  return {
    models: { mode: "merge", providers: { scripted: provider } },
    agents: { defaults: { model: { primary: "scripted/scripted" }, workspace: fixture.project } },
  };
}

function claudeEnvironment(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

/** A user trusts hooks once in /hooks. */
const codexOptions = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
const codexEnvironment = { SCRIPTED_KEY: "none" };

const openCodeEnvironment = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};
