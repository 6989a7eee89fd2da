import type { Socket } from "node:net";
import type { StopSignal } from "../watch-signals.ts";

/** A caller sends its request at once. */
export const requestMs = 1000;
/** The longest message of a caller: its command line and environment, or a part of its input. */
export const maxMessageChars: number = 4 * 1024 * 1024;

/** What a new process would know, and the running one has to be told. */
export interface CallRequest {
  /** What both processes must have in common; see `describeProcess`. */
  readonly process: string;
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
  readonly elapsedMs: number;
  readonly isInputTerminal: boolean;
  /** The columns of a terminal; null for anything else. */
  readonly stdoutColumns: number | null;
  readonly stderrColumns: number | null;
}

/**
 * From the caller. It sends `go` only while it still waits for the answer, so that a request is never answered twice: by
 * a resident that was slow, and by the caller itself.
 */
export type FromCaller =
  | { readonly kind: "request"; readonly request: CallRequest }
  | { readonly kind: "go" }
  /** Standard input, in base64. */
  | { readonly kind: "input"; readonly bytes: string }
  /** With the problem if it could not be read. */
  | { readonly kind: "input-end"; readonly problem?: string }
  | { readonly kind: "signal"; readonly name: StopSignal };

export type FromResident =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "exit"; readonly code: number };

/** One message a line. Half of a pair of surrogates survives JSON, and no character of JSON is a line break. */
export function send<Message extends FromCaller | FromResident>(socket: Socket, message: Message): boolean {
  return socket.writable && socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls back for each message, and destroys the connection if it is too long or makes no sense. */
export function receive<Message extends FromCaller | FromResident>(
  socket: Socket,
  { maxChars, onMessage }: { maxChars: number; onMessage: (message: Message) => void },
): void {
  let parts: string[] = [];
  let chars = 0;
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      parts.push(line);
      chars += line.length;
      if (chars > maxChars) socket.destroy();
      if (socket.destroyed) return;
      if (index === lines.length - 1) continue;
      try {
        onMessage(JSON.parse(parts.join("")) as Message);
      } catch {
        socket.destroy();
      }
      parts = [];
      chars = 0;
    }
  });
}
