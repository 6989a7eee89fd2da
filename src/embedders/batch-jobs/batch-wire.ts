import { parseJson } from "../../text/parse-json.ts";
import { excerpt } from "../../text/visible.ts";
import type { HttpAccess, UrlOptions } from "../remote/http-access.ts";
import type { Retry } from "../remote/retrying.ts";
import {
  type JsonAnswer,
  type RequestOptions,
  requestJson,
  sendRequest,
  unexpectedAnswer,
} from "../remote/send-request.ts";
import type { ServiceFailure } from "../remote/service.ts";

interface WireRequest extends UrlOptions {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Sent as JSON, unless it is a form or a blob. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the answer. */
  readonly maxBytes?: number;
}

/** HTTP for batch services: small responses and large files, each with a deadline, and retried where that may help. */
export interface BatchWire {
  call(request: WireRequest, signal: AbortSignal): Promise<JsonAnswer | ServiceFailure>;
  /** Not repeated. */
  callOnce(request: WireRequest, signal: AbortSignal): Promise<JsonAnswer | ServiceFailure>;
  /**
   * Passes on the lines of a JSON Lines file, with their positions. An invalid line is passed on as undefined: a
   * truncated file still has all the others. A repeated call starts with the first line again.
   */
  lines(
    request: Pick<WireRequest, "path" | "before" | "query">,
    onLine: (json: unknown, place: number) => Promise<void>,
    signal: AbortSignal,
  ): Promise<object | ServiceFailure>;
  /** A message of the service, masked for display. */
  show(text: string): string;
  unexpectedAnswer(why: string): ServiceFailure;
  /** Until now. */
  requests(): number;
}

interface BatchWireOptions {
  readonly access: HttpAccess;
  readonly retry: Retry;
  /** For one answer of a few kilobytes, and for a file. */
  readonly deadlineMs: { readonly call: number; readonly transfer: number };
}

const maxAnswerBytes = 4 * 2 ** 20;
const maxLineBytes = 2 ** 20;
/** Fifty thousand vectors of 8,000 dimensions with all their digits. */
const maxFileBytes = 10 * 2 ** 30;

export function createBatchWire({ access, retry, deadlineMs }: BatchWireOptions): BatchWire {
  const { from, mask, urlOf } = access;
  let requests = 0;

  function optionsOf(request: WireRequest, signal: AbortSignal): RequestOptions {
    const { method, path, body, headers: more = {} } = request;
    const headers = new Headers(access.headers);
    // The platform sets the boundary of a form.
    if (body === undefined || body instanceof FormData) headers.delete("content-type");
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const sent = body === undefined ? {} : { body: isFile(body) ? body : JSON.stringify(body) };
    requests++;
    return { from, method, url: urlOf(path, request), headers, ...sent, mask, signal };
  }

  const callOnce: BatchWire["callOnce"] = (request, signal) =>
    requestJson(optionsOf(request, signal), request.maxBytes ?? maxAnswerBytes);

  return {
    callOnce,
    call: (request, signal) =>
      retry({ deadlineMs: isFile(request.body) ? deadlineMs.transfer : deadlineMs.call, signal }, (limited) =>
        callOnce(request, limited),
      ),
    lines: (request, onLine, signal) =>
      retry({ deadlineMs: deadlineMs.transfer, signal }, async (limited) => {
        // An error of the caller's line handler is not a network failure.
        const faults: unknown[] = [];
        const options = optionsOf({ ...request, method: "GET" }, limited);
        const answer = await sendRequest(options, async (response, at) => {
          let place = 0;
          const isWhole = await readLines(
            response,
            { maxBytes: maxFileBytes, maxLineBytes },
            async (line) => {
              if (line.trim() === "") return;
              await onLine(parseJson(line), place++).catch((error: unknown) => {
                faults.push(error);
                throw error;
              });
            },
          );
          return isWhole ? { place } : unexpectedAnswer(at, "it has a line, or a size, that no result has");
        });
        if (faults.length > 0) throw faults[0];
        return answer;
      }),
    show: (text) => excerpt(mask(text)),
    unexpectedAnswer: (why) => unexpectedAnswer(from, why),
    requests: () => requests,
  };
}

function isFile(body: unknown): body is FormData | Blob {
  return body instanceof FormData || body instanceof Blob;
}

interface LineLimits {
  /** Of all lines together, after decompression. */
  readonly maxBytes: number;
  readonly maxLineBytes: number;
}

/**
 * Passes on the lines of a body as they arrive, one at a time, with the memory of one line. False if a limit is
 * exceeded; the rest is not read.
 */
export async function readLines(
  response: Response,
  { maxBytes, maxLineBytes }: LineLimits,
  onLine: (line: string) => Promise<void>,
): Promise<boolean> {
  let parts: Uint8Array[] = [];
  let lineBytes = 0;
  let allBytes = 0;
  const take = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    lineBytes = 0;
    return line;
  };
  for await (const chunk of response.body ?? []) {
    allBytes += chunk.length;
    if (allBytes > maxBytes) return false;
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      parts.push(part);
      lineBytes += part.length;
      if (lineBytes > maxLineBytes) return false;
      if (end === -1) break;
      await onLine(take());
      start = end + 1;
    }
  }
  if (lineBytes > 0) await onLine(take());
  return true;
}

const newline = 0x0a;
