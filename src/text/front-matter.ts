import { isFields } from "./fields.ts";

/** The YAML block at the top of a note. Absent fields were missing or unusable. */
interface FrontMatter {
  readonly title?: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly date?: string;
}

/**
 * The number of lines of front matter at the start, including both `---` lines; 0 if there is none. A note may also
 * begin with a thematic break, so the block must be closed and its first entry must look like `key:`.
 */
export function countFrontMatterLines(text: string): number {
  if (!text.startsWith("---")) return 0;
  let line = 0;
  let sawKey = false;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    // A delimiter and the start of a key are short; longer lines need not be copied.
    const content = text.slice(start, Math.min(end, start + maxKeyChars)).trimEnd();
    if (line === 0) {
      if (content !== "---" || end > maxKeyChars) return 0;
    } else if (content === "---" || content === "...") {
      return sawKey ? line + 1 : 0;
    } else if (!sawKey && content !== "" && !content.startsWith("#")) {
      if (!/^[^\s:\-#][^:]*:(?:\s|$)/.test(content)) return 0;
      sawKey = true;
    }
    start = end + 1;
  }
  return 0;
}

/** `null` when there is no front matter or it is not a YAML map: a broken block must not cost the note. */
export async function parseFrontMatter(text: string): Promise<FrontMatter | null> {
  const lines = countFrontMatterLines(text);
  if (lines === 0) return null;
  let end = 0;
  for (let line = 1; line < lines; line++) end = text.indexOf("\n", end) + 1;
  const block = text.slice(text.indexOf("\n") + 1, end);
  if (block.length > maxBlockChars) return null;

  // Loaded here, because the parser is slow to load and most processes meet no front matter.
  const { parse } = await import("yaml");
  let values: unknown;
  try {
    // Dates stay text: the core schema has none, so `2026-01-31` arrives as written.
    values = parse(block, { schema: "core", logLevel: "error", maxAliasCount: 20 });
  } catch {
    return null;
  }
  if (!isFields(values)) return null;
  const { title, tags, tag, aliases, alias, date } = values;
  const isoDate = asText(date)?.match(/^(\d{4}-\d{2}-\d{2})(?:$|[T ])/)?.[1];
  const titleText = asText(title);
  return {
    ...(titleText !== undefined && { title: titleText }),
    tags: asList(tags ?? tag).map((name) => name.replace(/^#/, "")),
    aliases: asList(aliases ?? alias),
    ...(isoDate !== undefined && { date: isoDate }),
  };
}

const maxKeyChars = 256;
const maxBlockChars = 65_536;

function asText(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return String(value).trim() || undefined;
}

/** A YAML list, or the comma-separated text that people write instead. */
function asList(value: unknown): string[] {
  const items = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [value];
  return items.map(asText).filter((item) => item !== undefined);
}
