/** One message of a conversation, independent of the API. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** Names of the tools that the assistant called in it. */
  readonly calls: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Codex groups the tools of a server. */
  readonly namespace?: string;
}

/** A request from a host to its model. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
}

/** A response of the scripted model. */
export interface ModelAnswer {
  readonly text?: string;
  readonly call?: { readonly tool: OfferedTool; readonly input: object };
  /** The number of tokens that the model claims to have read; a large one makes the host compact. */
  readonly tokens: number;
}

export type Wire =
  | { readonly json: unknown }
  /** Lines of an event stream. */
  | { readonly events: readonly string[] };

/** One API between hosts and models. */
export interface ModelApi {
  isFor(path: string): boolean;
  read(body: Fields): ModelRequest;
  write(
    answer: ModelAnswer,
    request: { readonly body: Fields; readonly path: string; readonly id: string },
  ): Wire;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of four APIs, read where their fields are known.
export type Fields = Record<string, any>;

/** The text of a message's content, which APIs write as a string, a list of parts, or nested parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  if (typeof content !== "object" || content === null) return "";
  const { text, output, content: inner } = content as Fields;
  return textOf(text ?? output ?? inner ?? "");
}

export function event(type: string | null, data: object): string {
  return `${type === null ? "" : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}
