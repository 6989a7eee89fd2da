import { join } from "node:path";
import type { ProgramResult } from "../support/child-process.ts";
import type { HostPlace } from "./host-place.ts";

/** How a real host is used without a person. */
export interface HostDriver {
  /** Points the host at the scripted model, and answers beforehand what it would ask a person. */
  prepare(place: HostPlace, modelUrl: string): Promise<void> | void;
  ask(place: HostPlace, prompt: string, modelUrl: string): Promise<ProgramResult>;
  /** Goes on with the last conversation in such a way that the host compacts it; absent where it cannot be had. */
  compact?(place: HostPlace, modelUrl: string): Promise<ProgramResult>;
}

export const drivers: Readonly<Record<string, HostDriver>> = {
  "claude-code": {
    prepare: () => {},
    ask: (place, prompt, url) => place.run("claude", ["-p", prompt], claudeEnvironment(url)),
    compact: (place, url) => place.run("claude", ["-p", "--continue", "/compact"], claudeEnvironment(url)),
  },

  codex: {
    prepare(place, url) {
      place.write(
        join(place.home, ".codex", "config.toml"),
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
          `[projects.${JSON.stringify(place.project)}]`,
          'trust_level = "trusted"',
          "",
        ].join("\n"),
      );
    },
    ask: (place, prompt) => place.run("codex", ["exec", ...codexOptions, prompt], codexEnvironment),
    compact: (place) =>
      place.run(
        "codex",
        ["exec", "resume", ...codexOptions, "--last", "Go on. [script end]"],
        codexEnvironment,
      ),
  },

  gemini: {
    prepare(place) {
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      place.write(join(place.home, ".gemini", "settings.json"), JSON.stringify(settings));
    },
    ask: (place, prompt, url) =>
      place.run("gemini", ["-p", prompt, "-m", "gemini-2.5-pro"], {
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: "none",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
      }),
  },

  opencode: {
    prepare(place, url) {
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
      place.write(join(place.home, ".config", "opencode", "opencode.json"), JSON.stringify(settings));
    },
    ask: (place, prompt) => place.run("opencode", ["run", prompt], openCodeEnvironment),
    compact: (place) =>
      place.run("opencode", ["run", "--continue", "Go on. [script end]"], openCodeEnvironment),
  },
};

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

/** A person trusts hooks once in /hooks. */
const codexOptions = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
const codexEnvironment = { SCRIPTED_KEY: "none" };

const openCodeEnvironment = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};
