/** Options of the agent: flags, with environment variables as a fallback. */
import { parseArgs } from "node:util";

export interface ChatOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly modelId: string;
  readonly workspace: string | undefined;
  readonly stateDir: string | undefined;
  readonly agent: string;
  readonly sessionKey: string;
  readonly contextWindow: number;
  readonly isNew: boolean;
}

export const usage = `Usage: node examples/agent/chat.ts --model NAME [options]

  --model NAME          the model's name at the endpoint          (or OPENAI_MODEL)
  --base-url URL        an OpenAI-compatible endpoint             (or OPENAI_BASE_URL)
                        default: https://api.openai.com/v1
  --context-window N    tokens that the model takes, default 128000  (or CONTEXT_WINDOW)
  --workspace DIR       folder with MEMORY.md and memory/, default: the nearest one
  --state-dir DIR       where index and sessions are kept, default: ~/.longhand
  --agent ID            whose memory and sessions, default: main
  --session KEY         the conversation, default: agent:<id>:main
  --new                 begin a new conversation under this key
  --help                show this

The key is read from OPENAI_API_KEY; local endpoints need none.`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** null if help was requested. */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): ChatOptions | null {
  const flags = readFlags(argv);
  if (flags.help) return null;
  const baseUrl = flags["base-url"] ?? env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1";
  const modelId = flags.model ?? env["OPENAI_MODEL"] ?? "";
  const contextWindow = Number(flags["context-window"] ?? env["CONTEXT_WINDOW"] ?? 128_000);
  const agent = flags.agent ?? "main";
  if (modelId === "") throw new UsageError("Which model? Name it with --model or OPENAI_MODEL.");
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new UsageError(
      `${JSON.stringify(baseUrl)} is no address of an endpoint. Give one that begins with http.`,
    );
  }
  if (!Number.isInteger(contextWindow) || contextWindow < 4000) {
    throw new UsageError("The context window must be a whole number of tokens, 4000 or more.");
  }
  return {
    baseUrl,
    modelId,
    contextWindow,
    agent,
    apiKey: env["OPENAI_API_KEY"],
    workspace: flags.workspace,
    stateDir: flags["state-dir"],
    sessionKey: flags.session ?? `agent:${agent}:main`,
    isNew: flags.new ?? false,
  };
}

function readFlags(argv: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        model: text,
        "base-url": text,
        "context-window": text,
        workspace: text,
        "state-dir": text,
        agent: text,
        session: text,
        new: flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". ")[0]}.`);
  }
}
