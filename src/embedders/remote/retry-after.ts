/**
 * How long a service asks to be left alone, in milliseconds, or null when it does not say: the header `Retry-After`
 * in seconds or as a date, or Google's `RetryInfo` in the body. Of several the longest counts.
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
  // A date has a name of a month; without that test, `Date.parse` makes something of nearly everything.
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
