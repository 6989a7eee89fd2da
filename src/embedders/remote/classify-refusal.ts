import { type ErrorCode, LonghandError } from "../../errors.ts";
import type { ServiceFailure } from "./service.ts";

interface Refusal {
  /** Who refused, for the message: `openai text-embedding-3-small at https://…`. */
  readonly from: string;
  readonly status: number;
  /** The header of that name. */
  readonly retryAfter?: string | null;
  /** Parsed if it is JSON, otherwise the text. */
  readonly body: unknown;
  /** The message of the service, masked and shortened. */
  readonly shown: string;
  readonly nowMs?: number;
}

const transient = new Set([408, 409, 425, 429]);

/** Decides from an HTTP status and the body what to do next. */
export function classifyRefusal(refusal: Refusal): ServiceFailure {
  const { from, status, retryAfter = null, body, shown, nowMs = Date.now() } = refusal;
  const said = shown === "" ? "" : `: ${shown}`;
  const refuse = (kind: ServiceFailure["kind"], code: ErrorCode, hint: string): ServiceFailure => {
    const verb = code === "provider-unreachable" ? "is not available" : "refused the request";
    const retryable = kind === "again";
    return {
      kind,
      status,
      error: new LonghandError(code, `${from} ${verb} (HTTP ${status})${said}`, { hint, retryable }),
    };
  };
  const words = wordsOf(body).toLowerCase();
  const waitMs = retryAfterMs({ header: retryAfter, body, nowMs });

  if (status === 402 || isQuotaExhausted(status, words, waitMs !== null)) {
    return refuse(
      "final",
      "provider-refused",
      "The quota is used up: check plan and billing of the provider, then sync again.",
    );
  }
  if (transient.has(status) || status >= 500) {
    const failure = refuse(
      "again",
      "provider-unreachable",
      "Wait a while and sync again; keyword search works meanwhile.",
    );
    return waitMs === null ? failure : { ...failure, retryAfterMs: waitMs };
  }
  if (status === 401 || status === 403 || /api[ _-]?key/.test(words)) {
    return refuse("final", "provider-refused", "Check the key of the provider and what it may be used for.");
  }
  if (status === 413 || ((status === 400 || status === 422) && isLimit(words))) {
    const failure = refuse("limit", "provider-refused", "Use a smaller memorySearch.chunking.tokens.");
    const limit = limitIn(words);
    return limit === null ? failure : { ...failure, limit };
  }
  if (status === 400 || status === 422) {
    return refuse(
      "input",
      "provider-refused",
      "Check memorySearch.model and outputDimensionality against what the provider offers.",
    );
  }
  return refuse("final", "provider-refused", "Check memorySearch.model and remote.baseUrl.");
}

/** All texts of a body: messages, types and codes. Field names and order differ between services. */
function wordsOf(body: unknown, depth = 0): string {
  if (typeof body === "string") return body.slice(0, 2000);
  if (typeof body !== "object" || body === null || depth > 6) return "";
  return Object.values(body)
    .slice(0, 50)
    .map((value) => wordsOf(value, depth + 1))
    .join(" ");
}

/**
 * A limit per minute expires soon; one per day, or an empty account, does not. Some services use the same words for
 * both, but name a delay only if waiting helps.
 */
function isQuotaExhausted(status: number, words: string, hasWait: boolean): boolean {
  if (status !== 429 && status !== 403) return false;
  if (/insufficient_quota|billing_hard_limit|billing_not_active|perday|per day/.test(words)) return true;
  return !hasWait && /exceeded your current quota|quota exceeded|quota exhausted|out of credits/.test(words);
}

/** Which of the two, by the body alone: a message may also contain the model and the address. */
function limitIn(words: string): "items" | "tokens" | null {
  if (/token|context[ _]length|too long|string_above_max|characters/.test(words)) return "tokens";
  if (/batch|too many|number of|array|items|inputs|at most \d/.test(words)) return "items";
  return null;
}

/** The ways in which services say that a request has too many texts or too many tokens. */
function isLimit(words: string): boolean {
  return /too (?:many|long|large|big)|at most|exceed|max(?:imum)?[ _](?:context|batch|number|length|input|tokens|allowed|size)|context[ _]length|batch size|token limit|string_above_max|larger than/.test(
    words,
  );
}

/**
 * The delay that a service asks for, in milliseconds, or null if it does not: the header `Retry-After` in seconds or as
 * a date, or Google's `RetryInfo` in the body. The longest one counts.
 */
export function retryAfterMs(from: {
  readonly header: string | null;
  readonly body: unknown;
  readonly nowMs: number;
}): number | null {
  const waits = [fromHeader(from.header, from.nowMs), fromRetryInfo(from.body)].filter(
    (wait) => wait !== null,
  );
  return waits.length === 0 ? null : Math.max(...waits);
}

function fromHeader(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // A date contains the name of a month; without this check, `Date.parse` accepts nearly anything.
  const atMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

interface GoogleError {
  readonly error?: {
    readonly details?: readonly { readonly "@type"?: unknown; readonly retryDelay?: unknown }[];
  };
}

function fromRetryInfo(body: unknown): number | null {
  const details = (body as GoogleError | null)?.error?.details;
  if (!Array.isArray(details)) return null;
  const info = details.find((detail) => String(detail?.["@type"]).endsWith("google.rpc.RetryInfo"));
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(info?.retryDelay)) ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}
