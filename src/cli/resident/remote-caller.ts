import type { Socket } from "node:net";
import { WriteStream } from "node:tty";
import { monotonicMs } from "../../timing.ts";
import type { Caller } from "../caller.ts";
import type { CommandContext } from "../command.ts";
import type { TextStream } from "../standard-streams.ts";
import type { SignalWatch } from "../watch-signals.ts";
import { type CallRequest, type FromCaller, type FromResident, send } from "./messages.ts";

/** More than any command reads. */
const maxInputBytes = 32 * 1024 * 1024;

export interface RemoteCaller extends Caller {
  /** Takes over what arrives after the request. */
  onMessage(message: FromCaller): void;
}

/** The caller at the other end of a connection. */
export function createRemoteCaller(
  socket: Socket,
  request: CallRequest,
  { signals, exit }: { readonly signals: SignalWatch; readonly exit: (code: number) => void },
): RemoteCaller {
  const startedAtMs = monotonicMs() - request.elapsedMs;
  const input = createInput(request.isInputTerminal);
  let inputBytes = 0;
  return {
    stdout: createStream(socket, "stdout", request.stdoutColumns),
    stderr: createStream(socket, "stderr", request.stderrColumns),
    input: input.reader,
    currentDir: request.cwd,
    signals,
    pid: request.pid,
    answeredBy: `process ${process.pid}, which was already running`,
    elapsedMs: () => monotonicMs() - startedAtMs,
    exit,
    onMessage(message) {
      if (message.kind === "input") {
        const bytes = Buffer.from(message.bytes, "base64");
        inputBytes += bytes.byteLength;
        if (inputBytes <= maxInputBytes) input.push(bytes);
        else socket.destroy();
      } else if (message.kind === "input-end") input.end(message.problem);
    },
  };
}

function createStream(socket: Socket, kind: "stdout" | "stderr", columns: number | null): TextStream {
  const write = (text: string) => send<FromResident>(socket, { kind, text });
  if (columns === null) return { isPlain: true, write };
  // Node asks these of a terminal before it uses colours; the second depends on the environment alone.
  const ofTerminal = { on: () => {}, getColorDepth: WriteStream.prototype.getColorDepth };
  return Object.assign({ isTTY: true, columns, write }, ofTerminal);
}

function createInput(isTTY: boolean) {
  const parts: Uint8Array[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let wake: () => void = () => {};
  const change = (apply: () => void) => {
    apply();
    wake();
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (failure !== undefined) throw failure;
      const part = parts.shift();
      if (part !== undefined) yield part;
      else if (isEnded) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const reader: CommandContext["input"] = {
    isTTY,
    [Symbol.asyncIterator]: read,
    destroy: () =>
      change(() => {
        failure = new Error("Standard input was closed.");
      }),
  };
  return {
    reader,
    push: (part: Uint8Array) => change(() => void parts.push(part)),
    end: (problem?: string) =>
      change(() => {
        isEnded = true;
        if (problem !== undefined) failure = new Error(problem);
      }),
  };
}
