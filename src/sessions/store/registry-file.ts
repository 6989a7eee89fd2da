import type { Fields } from "./json5-file.ts";

/** One session a line: version control shows what changed, and a cut file still gives most of its lines. */
export function formatRegistry(entries: Fields): string {
  const lines = Object.entries(entries).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${JSON.stringify(entry)}`,
  );
  return lines.length === 0 ? "{}\n" : `{\n${lines.join(",\n")}\n}\n`;
}

/** What can still be read of a damaged registry: the lines that are whole entries. */
export function salvageRegistry(text: string): Map<string, Fields> {
  const entries = new Map<string, Fields>();
  for (const line of text.split("\n")) {
    if (!line.startsWith('"')) continue;
    try {
      const [[key, entry] = []] = Object.entries(JSON.parse(`{${line.trim().replace(/,$/, "")}}`) as Fields);
      if (key !== undefined && isEntry(entry)) entries.set(key, entry);
    } catch {
      // This line is part of the damage; the history of its session is found by its file.
    }
  }
  return entries;
}

/** What another program or a person wrote under a key may be anything. */
export function isEntry(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
