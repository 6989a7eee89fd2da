import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";
import { isFetchable, showUrl } from "./model-location.ts";

/** What a server says about a file before sending it. */
export interface RemoteFile {
  readonly url: string;
  /** Null if only the response with the file says so. */
  readonly sizeBytes: number | null;
  /** Of the content, if the server knows it. */
  readonly sha256: string | null;
  /** The server's name for this version of the file; null if it has none that is reliable. */
  readonly version: string | null;
}

interface RemoteFileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idleMs?: number | undefined;
}

/** The content from some byte onwards. */
interface RemoteBody extends AsyncDisposable {
  /** 0 if the server sends everything again. */
  readonly startBytes: number;
  /** Of the whole file. */
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The hub answers with a redirect to the content, and says in the redirect which content that is; so
 * only the hub itself is trusted about it.
 */
export async function describeFile(url: string, options: RemoteFileOptions): Promise<RemoteFile> {
  await using request = createRequest(options);
  const isEnough = ({ headers }: Response): boolean => headers.has("x-linked-etag");
  const { status, headers } = await follow(url, { method: "HEAD" }, request, isEnough);
  // Not every server supports this method; then a download cannot be resumed.
  if (status === 405 || status === 501) return { url, sizeBytes: null, sha256: null, version: null };
  if (status >= 400) throw refuseStatus(url, status);
  const linked = headers.get("x-linked-etag");
  const version = linked ?? headers.get("etag");
  const length = headers.get(linked === null ? "content-length" : "x-linked-size");
  const sha256 = linked?.replaceAll('"', "") ?? "";
  return {
    url,
    sizeBytes: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    sha256: /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
    // A weak tag may be the same for different bytes.
    version: version === null || version.startsWith("W/") ? null : version,
  };
}

export async function openBody(
  { url, sizeBytes, sha256, version }: RemoteFile,
  fromBytes: number,
  options: RemoteFileOptions,
): Promise<RemoteBody> {
  const request = createRequest(options);
  try {
    const headers: Record<string, string> = {};
    if (fromBytes > 0) headers["range"] = `bytes=${fromBytes}-`;
    // Without a hash to compare at the end, only the same version may be resumed.
    if (fromBytes > 0 && sha256 === null && version !== null) headers["if-range"] = version;
    const { status, headers: given, body } = await follow(url, { headers }, request, () => false);
    if (status !== 200 && status !== 206) throw refuseStatus(url, status);
    if (body === null || (given.get("content-encoding") ?? "identity") !== "identity") {
      throw downloadFailed(url, { why: "the server did not send the file as it is" });
    }
    const part = /^bytes (\d+)-\d+\/(\d+)$/.exec(given.get("content-range") ?? "");
    if (status === 206 && Number(part?.[1]) !== fromBytes) {
      throw downloadFailed(url, { why: "the server sent another part than the requested one" });
    }
    const announced = status === 206 ? part![2]! : given.get("content-length");
    const whole = announced === null ? sizeBytes : Number(announced);
    if (whole === null || (sizeBytes !== null && whole !== sizeBytes)) {
      const why =
        whole === null
          ? "the server does not say how long it is"
          : `it has ${whole} bytes instead of ${sizeBytes}`;
      throw downloadFailed(url, { why });
    }
    return {
      startBytes: status === 206 ? fromBytes : 0,
      sizeBytes: whole,
      chunks: alive(body, request),
      [Symbol.asyncDispose]: () => request[Symbol.asyncDispose](),
    };
  } catch (error) {
    await request[Symbol.asyncDispose]();
    throw error;
  }
}

interface Request extends AsyncDisposable {
  readonly signal: AbortSignal;
  /** Something arrived. */
  touch(): void;
}

/** Gives up on a silent server, but not on a slow one. */
function createRequest({ signal, idleMs = 60_000 }: RemoteFileOptions): Request {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`nothing arrived for ${Math.round(idleMs / 1000)} seconds`)),
    idleMs,
  );
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    touch: () => void timer.refresh(),
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      // Closes the connection of a response that was not read completely.
      controller.abort();
    },
  };
}

async function* alive(body: ReadableStream<Uint8Array>, { touch }: Request): AsyncIterable<Uint8Array> {
  for await (const bytes of body) {
    touch();
    yield bytes;
  }
}

const maxRedirects = 5;

/** Only from https to https (or within this machine). Requests carry no secrets, so none can leak. */
async function follow(
  start: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> },
  { signal }: Request,
  isEnough: (response: Response) => boolean,
): Promise<Response> {
  let url = new URL(start);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      method,
      headers: { "accept-encoding": "identity", ...headers },
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null || isEnough(response))
      return response;
    await response.body?.cancel();
    if (redirects === maxRedirects)
      throw downloadFailed(start, { why: `it was passed on more than ${maxRedirects} times` });
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    const isSafe =
      next !== null && isFetchable(next) && (url.protocol !== "https:" || next.protocol === "https:");
    if (!isSafe) {
      const where = next === null ? "no address" : showUrl(next);
      throw downloadFailed(start, {
        why: `the server passes it on to ${where}, which is not safe to follow`,
      });
    }
    url = next;
  }
}

function refuseStatus(url: string, status: number): LonghandError {
  const hints: Readonly<Record<number, string>> = {
    401: "The hub asks for a login. Fetch the file with your browser and run `longhand models install --from FILE`.",
    403: "The hub asks for a login. Fetch the file with your browser and run `longhand models install --from FILE`.",
    404: "Check the address: hf:owner/repository/file.gguf.",
  };
  const hint = hints[status];
  return downloadFailed(url, {
    why: `the server answered with ${status}`,
    retryable: status === 408 || status === 429 || status >= 500,
    ...(hint === undefined ? {} : { hint }),
  });
}

interface DownloadFailure {
  /** The reason in words; derived from `error` if absent. */
  readonly why?: string;
  readonly error?: unknown;
  /** Where the file was to be written, for failures to write it. */
  readonly file?: string;
  readonly retryable?: boolean;
  readonly hint?: string;
}

export function downloadFailed(
  url: string,
  { why, error, file, retryable, hint }: DownloadFailure,
): LonghandError {
  const code = systemErrorCode(error);
  const isDisk = code !== undefined && diskCodes.has(code);
  const reason = why ?? (isDisk ? `writing ${file} failed with ${code}` : networkReason(error));
  return new LonghandError("download-failed", `Could not fetch ${showUrl(new URL(url))}: ${reason}.`, {
    hint: hint ?? (isDisk ? diskHint : networkHint),
    retryable: retryable ?? (why === undefined && !isDisk),
    cause: error,
  });
}

/**
 * Whether the same attempt may succeed a moment later. A server that was never reached is reported at once: most likely
 * there is no network.
 */
export function isPassing(error: unknown, { hasArrived }: { hasArrived: boolean }): boolean {
  if (error instanceof LonghandError) return error.retryable;
  const code = systemErrorCode(error);
  if (code !== undefined && diskCodes.has(code)) return false;
  return hasArrived || !unreachable.has(networkCode(error) ?? "");
}

const networkHint =
  "What has arrived is kept: run `longhand models install` again and it continues from there. With no network, copy " +
  "the file to this machine and run `longhand models install --from FILE`.";
const diskHint =
  "Make room or correct the rights (local.modelCacheDir names another folder), then run `longhand models install` " +
  "again: what has arrived is kept and it continues from there.";
const diskCodes = new Set([
  "ENOSPC",
  "EDQUOT",
  "EACCES",
  "EPERM",
  "EROFS",
  "EIO",
  "ENOTDIR",
  "EEXIST",
  "EISDIR",
  "EFBIG",
]);

const unreachable = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH"]);

function networkReason(error: unknown): string {
  const code = networkCode(error);
  if (code !== undefined) return `the connection failed with ${code}`;
  const innermost = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `the connection failed: ${messageOf(innermost)}`;
}

/** `fetch` hides what happened in the cause of "fetch failed". */
function networkCode(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
  }
  return undefined;
}
