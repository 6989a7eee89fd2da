import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createDocument, type Source } from "longhand/sources";
import { parseMessage, splitMbox } from "./parse-mail.ts";

/**
 * The messages of an mbox file as documents, under the path `<year>/<message id>`. The file is read again if its size
 * or time changed, so listing takes a single stat call.
 */
export function createMboxSource(file: string, { name = "mail" } = {}): Source {
  let stamp = "";
  let messages = new Map<string, { version: string; raw: Buffer }>();

  async function refresh(): Promise<void> {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true });
    const latest = `${ino} ${size} ${mtimeNs}`;
    if (latest === stamp) return;
    messages = new Map();
    for (const raw of splitMbox(await readFile(file))) {
      const { id, date } = parseMessage(raw);
      const version = createHash("sha256").update(raw).digest("base64url").slice(0, 16);
      const path = `${date?.slice(0, 4) ?? "undated"}/${id.replace(/[^\w@.+-]/g, "_") || version}`;
      messages.set(path, { version, raw });
    }
    // A second change within the same clock tick would leave the same version.
    const isSettled = Date.now() - Number(mtimeNs / 1_000_000n) > 100;
    stamp = isSettled ? latest : "";
  }

  return {
    specificationVersion: 1,
    name,
    async list() {
      await refresh();
      const entries = [...messages].map(([path, { version, raw }]) => {
        return { path, version, sizeBytes: raw.length };
      });
      return { entries, skipped: [] };
    },
    async read(path) {
      await refresh();
      const message = messages.get(path);
      if (message === undefined) return null;
      const { from, to, subject, date, text } = parseMessage(message.raw);
      return createDocument({
        source: name,
        path,
        version: message.version,
        text: `From: ${from}\nTo: ${to}\n\n${text}`,
        title: subject,
        ...(date === undefined ? {} : { date: date.slice(0, 10) }),
        // Mail is private: sessions that others can read do not find it.
        scope: "private",
      });
    },
  };
}
