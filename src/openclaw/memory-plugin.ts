import { adviceOf } from "../errors.ts";
import type { Memory, OpenMemoryOptions } from "../memory/memory.ts";
import { openMemory } from "../memory/open-memory.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { SourceName } from "../text/document.ts";
import { isSessionOf, isSharedSession } from "../text/session-key.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import { memoryPromptSection } from "../tools/prompt-section.ts";
import { isFailure } from "../tools/tool.ts";
import { planFlush } from "./flush-plan.ts";
import {
  type HostApi,
  type HostConfig,
  type HostTool,
  type HostToolContext,
  type MemoryCapability,
  readSetting,
} from "./host-api.ts";
import { createMemoryPool, type MemoryPool } from "./memory-pool.ts";

/** The input of OpenClaw's `definePluginEntry`. */
export interface MemoryPlugin {
  readonly id: "longhand";
  readonly name: string;
  readonly description: string;
  readonly kind: "memory";
  register(api: HostApi): void;
}

/** longhand in OpenClaw's memory slot. */
export function createMemoryPlugin(
  open: (options: OpenMemoryOptions) => Promise<Memory> = openMemory,
): MemoryPlugin {
  return {
    id: "longhand",
    name: "longhand",
    description: "Memory in plain Markdown, found by keywords and by semantic search",
    kind: "memory",
    register(api) {
      const pool = createMemoryPool(api, open);
      for (const name of toolNames) {
        api.registerTool((context) => createTool(name, context, { api, pool }), { names: [name] });
      }
      api.registerMemoryCapability(createCapability(api, pool));
    },
  };
}

/** As in `openclaw.plugin.json`: the host offers no others. */
const toolNames = ["memory_search", "memory_get", "memory_add"] as const;

interface PluginParts {
  readonly api: HostApi;
  readonly pool: MemoryPool;
}

function createTool(
  name: (typeof toolNames)[number],
  context: HostToolContext,
  { api, pool }: PluginParts,
): HostTool | null {
  const { agentId = "main", sessionKey, sandboxed = false } = context;
  const configOf = () =>
    context.getRuntimeConfig?.() ?? context.runtimeConfig ?? context.config ?? api.config;
  const access = sandboxed && !mayWrite(configOf(), agentId) ? "read" : "append";
  const options = { access, sessionKey } as const;
  const definition = memoryTools(undescribed, options).find((tool) => tool.name === name);
  if (definition === undefined) return null;
  return {
    name,
    label: definition.title,
    description: definition.description,
    parameters: definition.inputSchema,
    catalogMode: "direct-only",
    async execute(_callId, input, signal) {
      const config = configOf();
      const memory = await pool.memoryOf(agentId, config).catch((error: unknown) => adviceOf(error));
      if (typeof memory === "string") return textResult(`Memory is not available. ${memory}`, false);
      const visible = withVisibleHits(memory, { api, config, context });
      const tool = memoryTools(visible, options).find((each) => each.name === name)!;
      const answer = await tool.execute(input, { signal });
      return textResult(tool.render(answer), !isFailure(answer));
    },
  };
}

/** The host needs descriptions before a memory is opened; they depend only on the session. */
const undescribed = {
  limits: { maxInjectedChars: 4000, maxResults: 6, offersForget: false, citations: "auto" },
  workspace: { dir: "", isDefault: false, isTrusted: true },
  entries: null,
  userDir: null,
} as unknown as Memory;

/**
 * If tools are called through a catalog, a model sees the details too, so they must not contain anything from a note.
 */
function textResult(text: string, ok: boolean) {
  return { content: [{ type: "text" as const, text }], details: { ok } };
}

/** In a sandbox, memory is writable only if the workspace is. */
function mayWrite(config: HostConfig, agentId: string): boolean {
  const own = readSetting(config, "agents", "entries", agentId, "sandbox", "workspaceAccess");
  return (own ?? readSetting(config, "agents", "defaults", "sandbox", "workspaceAccess")) === "rw";
}

/** Hits of the tools are authorised like those of the host. */
function withVisibleHits(
  memory: Memory,
  { api, config, context }: { api: HostApi; config: HostConfig; context: HostToolContext },
): Memory {
  const { sessionKey, sandboxed = false } = context;
  return {
    ...memory,
    workspace: memory.workspace,
    async search(query, options) {
      const answer = await memory.search(query, options);
      const requester = requesterOf(api, config, { agentId: memory.agentId, sessionKey, sandboxed });
      return { ...answer, results: authorizeHits(answer.results, requester) };
    },
  };
}

function requesterOf(
  api: HostApi,
  config: HostConfig,
  { agentId, sessionKey, sandboxed }: { agentId: string; sessionKey: string | undefined; sandboxed: boolean },
) {
  const entry =
    sessionKey === undefined
      ? undefined
      : api.runtime.agent.session?.getSessionEntry?.({ agentId, sessionKey });
  const visibility = readSetting(config, "tools", "sessions", "visibility");
  return { agentId, sessionKey, sandboxed, visibility, sessionId: entry?.sessionId };
}

function createCapability(api: HostApi, pool: MemoryPool): MemoryCapability {
  return {
    deterministicRecallToolName: "memory_search",
    promptBuilder({ availableTools, citationsMode = "auto", agentSessionKey }) {
      const section = memoryPromptSection({
        mode: "full",
        tools: toolNames.filter((name) => availableTools.has(name)),
        citations: citationsMode,
        sessionKey: agentSessionKey,
      });
      return section === "" ? [] : [...section.split("\n"), ""];
    },
    flushPlanResolver: ({ cfg, nowMs, contextWindowTokens }) =>
      planFlush(cfg ?? api.config, {
        now: nowMs === undefined ? new Date() : new Date(nowMs),
        contextWindowTokens,
      }),
    runtime: {
      resolveMemoryBackendConfig: () => ({ backend: "builtin" }),
      async getMemorySearchManager({ cfg, agentId, purpose = "default" }) {
        try {
          const isShared = purpose === "default";
          return { manager: await (isShared ? pool.managerOf : pool.ownManager)(agentId, cfg) };
        } catch (error) {
          return { manager: null, error: adviceOf(error) };
        }
      },
      async authorizeSearchHits({ cfg, agentId, requesterSessionKey, sandboxed, hits }) {
        return authorizeHits(
          hits,
          requesterOf(api, cfg, { agentId, sessionKey: requesterSessionKey, sandboxed }),
        );
      },
      closeMemorySearchManager: ({ agentId }) => pool.close(agentId),
      closeAllMemorySearchManagers: pool.closeAll,
    },
  };
}

export interface Requester {
  /** The agent whose memory was searched. */
  readonly agentId: string;
  readonly sessionKey: string | undefined;
  readonly sandboxed: boolean;
  /** OpenClaw's `tools.sessions.visibility`. */
  readonly visibility: unknown;
  /** The requester's own transcript; undefined if it is unknown. */
  readonly sessionId: string | undefined;
}

/**
 * The hits that a conversation may see. Another agent's conversation sees none. Groups, channels and conversations of an
 * unknown kind see neither private notes nor transcripts. Transcripts need a known private conversation outside a sandbox,
 * and with a visibility of `self` or `tree` only its own is shown.
 */
export function authorizeHits<Hit extends { readonly path: string; readonly source: SourceName }>(
  hits: readonly Hit[],
  requester: Requester,
): Hit[] {
  const { agentId, sessionKey, sandboxed, visibility, sessionId } = requester;
  if (sessionKey !== undefined && !isSessionOf(sessionKey, { agentId, isNamed: true })) return [];
  const isShared = isSharedSession(sessionKey);
  const isNarrow = visibility === "self" || visibility === "tree";
  return hits.filter(({ path, source }) => {
    if (source !== "sessions") return !isShared || scopeOf(path) === "shared";
    if (sessionKey === undefined || isShared || sandboxed) return false;
    return !isNarrow || (sessionId !== undefined && transcriptOf(path) === sessionId);
  });
}

/** The session that a path such as `sessions/<id>.jsonl` or `sessions/<id>.jsonl.reset.…` belongs to. */
function transcriptOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl(?:\..*)?$/, "");
}
