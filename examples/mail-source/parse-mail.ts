/** The parts of the mail formats that an example needs: mbox, headers, encoded words, and the first plain text part. */
export interface Message {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** ISO 8601; absent if the header is missing or invalid. */
  readonly date?: string;
  readonly text: string;
}

/** A line that begins with `From ` starts a message; in a body it is escaped as `>From `. */
export function* splitMbox(bytes: Buffer): Generator<Buffer> {
  const separator = Buffer.from("\nFrom ");
  let start = bytes.subarray(0, 5).toString("latin1") === "From " ? 0 : -1;
  while (start >= 0) {
    const next = bytes.indexOf(separator, start);
    const message = bytes.subarray(bytes.indexOf("\n", start) + 1, next < 0 ? bytes.length : next);
    if (message.length > 0) yield message;
    start = next < 0 ? -1 : next + 1;
  }
}

export function parseMessage(raw: Buffer): Message {
  const { headers, body } = splitHeaders(raw.toString("latin1"));
  const header = (name: string): string => decodeWords(headers.get(name) ?? "");
  const sent = new Date(headers.get("date") ?? "");
  return {
    id: (headers.get("message-id") ?? "").replace(/^<|>$/g, ""),
    from: header("from"),
    to: header("to"),
    subject: header("subject"),
    ...(Number.isNaN(sent.getTime()) ? {} : { date: sent.toISOString() }),
    text: readText(headers, body)
      .replace(/^>(>*From )/gm, "$1")
      .trimEnd(),
  };
}

type Headers = ReadonlyMap<string, string>;

function splitHeaders(part: string): { headers: Headers; body: string } {
  const text = part.replaceAll("\r\n", "\n");
  const end = text.indexOf("\n\n");
  // A line that begins with white space continues the previous one.
  const lines = text.slice(0, end < 0 ? text.length : end).replaceAll(/\n[ \t]+/g, " ");
  const headers = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end < 0 ? "" : text.slice(end + 2) };
}

/** The first plain text of a message; empty if there is none. */
function readText(headers: Headers, body: string): string {
  const type = headers.get("content-type") ?? "text/plain";
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary !== undefined) {
    for (const part of body.split(`--${boundary}`).slice(1)) {
      const inner = splitHeaders(part.replace(/^\r?\n/, ""));
      const text = readText(inner.headers, inner.body);
      if (text !== "") return text;
    }
    return "";
  }
  if (!/^text\/plain/i.test(type)) return "";
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  const bytes = decodeTransfer(body, headers.get("content-transfer-encoding") ?? "");
  return decode(bytes, charset).replaceAll("\r\n", "\n");
}

function decodeTransfer(body: string, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(body, "base64");
  if (/quoted-printable/i.test(encoding)) return decodeQuoted(body.replaceAll(/[ \t]*=\n/g, ""));
  return Buffer.from(body, "latin1");
}

function decodeQuoted(text: string): Buffer {
  const bytes = text.replaceAll(/=([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}

/** `=?utf-8?Q?Gr=C3=BC=C3=9Fe?=` in headers. */
function decodeWords(header: string): string {
  const joined = header.replaceAll(/\?=\s+=\?/g, "?==?");
  return joined.replaceAll(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, charset, kind, text) =>
    decode(/b/i.test(kind) ? Buffer.from(text, "base64") : decodeQuoted(text.replaceAll("_", " ")), charset),
  );
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}
