import { LonghandError, systemErrorCode } from "../../errors.ts";
import { fieldsOf, isFields } from "../../text/fields.ts";
import { parseJson } from "../../text/parse-json.ts";
import { excerpt } from "../../text/visible.ts";
import { classifyRefusal } from "./classify-refusal.ts";
import type { Redact } from "./mask.ts";
import type { ServiceFailure } from "./service.ts";

export interface RequestOptions {
  /** The name of the service, for messages: `openai text-embedding-3-small`. */
  readonly from: string;
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | Blob | FormData;
  readonly mask: Redact;
  readonly signal: AbortSignal;
}

const maxRefusalBytes = 64 * 1024;

/**
 * One request; the caller reads a successful response. Redirects are refused, because the text and keys in the user's
 * headers would follow them. Nothing thrown or returned contains a key, and an error has no `cause`, whose message may
 * contain the whole address.
 */
export async function sendRequest<Answer extends object>(
  { method, url, headers, body, mask, signal, ...options }: RequestOptions,
  read: (response: Response, from: string) => Promise<Answer | ServiceFailure>,
): Promise<Answer | ServiceFailure> {
  // The query string may contain keys.
  const from = `${options.from} at ${url.origin}${url.pathname}`;
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "error",
      signal,
      ...(body === undefined ? {} : { body }),
    });
    if (response.ok) return await read(response, from);
    const text = await readBody(response, maxRefusalBytes);
    const parsed = parseJson(text ?? "");
    return classifyRefusal({
      from,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: parsed ?? text,
      shown: excerpt(mask(readMessage(parsed) ?? text ?? "")),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return unreachable(from, error);
  }
}

/** The readable message in the body of an error; every service has it in another field. */
export function readMessage(body: unknown): string | null {
  const { error, detail, message } = fieldsOf(body);
  const inner = isFields(error) ? error.message : error;
  return [inner, detail, message].find((part) => typeof part === "string") ?? null;
}

function unreachable(from: string, error: unknown): ServiceFailure {
  const cause = (error as { cause?: unknown } | null)?.cause;
  if (cause instanceof Error && /redirect/.test(cause.message)) {
    const message = `${from} answered with a redirect, which is not followed: texts and keys would go elsewhere.`;
    const hint = "Set remote.baseUrl to the address where the service really is.";
    return { kind: "final", error: new LonghandError("provider-refused", message, { hint }) };
  }
  const unpacking = codeOf(error) ?? codeOf(cause);
  if (unpacking !== null && /^Z_|ZSTD|BROTLI|_ERROR_FORMAT_/.test(unpacking)) {
    const message = `The answer of ${from} could not be unpacked: ${unpacking}.`;
    const hint = "Check what is between longhand and the service, such as a proxy; then sync again.";
    return { kind: "again", error: new LonghandError("provider-answer-invalid", message, { hint }) };
  }
  const why = systemErrorCode(cause) ?? systemErrorCode(error) ?? codeOf(cause) ?? "the connection was lost";
  return {
    kind: "again",
    error: new LonghandError("provider-unreachable", `${from} could not be reached: ${why}.`, {
      hint: "Check the network and remote.baseUrl; keyword search works meanwhile.",
      retryable: true,
    }),
  };
}

function codeOf(cause: unknown): string | null {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[\w-]{1,60}$/.test(code) ? code : null;
}

/**
 * The body as text, or null when it exceeds the limit after decompression. It is counted while it arrives, so that
 * a huge body, or a small one that unpacks to a huge one, is never held in memory.
 */
async function readBody(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    // Leaving the loop cancels the body and the transfer.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

export interface JsonAnswer {
  readonly json: unknown;
}

/** A request that is answered in JSON, of no more than `maxBytes` after decompression. */
export async function requestJson(
  options: RequestOptions,
  maxBytes: number,
): Promise<JsonAnswer | ServiceFailure> {
  return await sendRequest(options, async (response, from) => {
    const text = await readBody(response, maxBytes);
    if (text === null) return unexpectedAnswer(from, `it is larger than ${maxBytes} bytes`);
    // Some servers begin with a byte order mark, which JSON does not allow.
    const json = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (json !== undefined) return { json };
    if (text.trim() === "") return unexpectedAnswer(from, "it is empty");
    return unexpectedAnswer(from, `it is not JSON: ${excerpt(options.mask(text.slice(0, 2000)))}`);
  });
}

export function unexpectedAnswer(from: string, why: string): ServiceFailure {
  const error = new LonghandError("provider-answer-invalid", `The answer of ${from} cannot be used: ${why}`, {
    hint: "Check that remote.baseUrl is the address of an embedding service of this provider.",
  });
  return { kind: "final", error };
}
