import type { JSONRPCMessage } from "@modelcontextprotocol/server";

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const invalidParams = -32_602;

/**
 * The MCP library reports input of the wrong type as an internal error with a JSON list, and clients show that to
 * people.
 */
export function withPlainError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const issues = readIssues(message.error.message);
  if (issues === null) return message;
  const text = issues.map(({ path, message: problem }) => {
    const name = path.slice(path[0] === "params" ? 1 : 0).join(".") || "params";
    return `${name}: ${problem.replace(/^Invalid input: /, "")}`;
  });
  return {
    ...message,
    error: { ...message.error, code: invalidParams, message: `Invalid parameters: ${text.join("; ")}.` },
  };
}

function readIssues(text: string): readonly Issue[] | null {
  const list = /\[\s*\{.*\}\s*\]$/s.exec(text)?.[0];
  if (list === undefined) return null;
  try {
    const issues = JSON.parse(list) as readonly Partial<Issue>[];
    const isList = issues.every(({ path, message }) => Array.isArray(path) && typeof message === "string");
    return isList ? (issues as readonly Issue[]) : null;
  } catch {
    return null;
  }
}
