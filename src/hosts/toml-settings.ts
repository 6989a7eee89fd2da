import type { HostPart } from "./host.ts";
import { refuseSettings } from "./json-settings.ts";

interface TomlTable extends Pick<HostPart, "path" | "purpose"> {
  /** The dotted name of the table. */
  readonly table: string;
  readonly values: { readonly command: string; readonly args: readonly string[] };
}

/**
 * A settings file in TOML that gets one table at its end, unless it already has a table of that name. Everything else
 * is preserved.
 */
export function tomlTable({ path, purpose, table, values }: TomlTable): HostPart {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const snippet = `[${table}]\n${lines.join("\n")}\n`;
  const read = (text: string) => {
    const entries = readToml(text);
    if (typeof entries === "string") throw refuseSettings(path, entries, snippet);
    return entries;
  };
  const isOurs = ({ name }: TomlEntry) => name === table || name.startsWith(`${table}.`);
  return {
    path,
    purpose,
    snippet,
    add(text) {
      if (text === null || text.trim() === "") return snippet;
      const entries = read(text);
      if (entries.some(isOurs)) return text;
      const parent = table.slice(0, table.lastIndexOf("."));
      // An inline table cannot be extended by a later one.
      if (entries.some(({ name, value }) => name === parent && value?.startsWith("{")))
        throw refuseSettings(path, `${parent} is an inline table there`, snippet);
      const newline = text.includes("\r\n") ? "\r\n" : "\n";
      const gap = text.endsWith("\n") ? newline : newline + newline;
      return text + gap + snippet.replaceAll("\n", newline);
    },
    remove(text) {
      const ours = read(text).filter(isOurs);
      if (ours.length === 0) return text;
      const rest = withoutLines(text, ours);
      return rest.trim() === "" ? null : rest;
    },
    commandLine(text) {
      const readValue = (key: string) =>
        readJsonValue(read(text).find(({ name }) => name === `${table}.${key}`)?.value ?? null);
      const command = readValue("command");
      const args = readValue("args") ?? [];
      const line = [command, ...(Array.isArray(args) ? args : [args])];
      return line.every((word) => typeof word === "string") ? line : null;
    },
  };
}

/** Removes the lines of these entries and the blank lines before them. */
function withoutLines(text: string, entries: readonly TomlEntry[]): string {
  const lines = text.split("\n");
  const gone = new Set<number>();
  for (const { first, last } of entries) {
    for (let line = first; line <= last; line++) gone.add(line);
    for (let line = first - 1; line >= 0 && lines[line]!.trim() === ""; line--) gone.add(line);
  }
  const kept = lines.filter((_, line) => !gone.has(line)).join("\n");
  return kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`;
}

/** Most TOML values are written as in JSON; null for one that is not. */
function readJsonValue(value: string | null): unknown {
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    const literal = /^'([^']*)'\s*(?:#.*)?$/.exec(value);
    return literal?.[1] ?? null;
  }
}

interface TomlEntry {
  /** The dotted name, including its table. */
  readonly name: string;
  /** The raw value; absent for a table header. */
  readonly value?: string;
  /** Lines, from 0, both inclusive. */
  readonly first: number;
  readonly last: number;
}

/**
 * Finds all tables and keys. Not a parser: it tracks strings, comments and brackets, so that their contents never
 * mislead it. Returns the reason if it cannot follow the file.
 */
export function readToml(text: string): TomlEntry[] | string {
  const entries: TomlEntry[] = [];
  let table = "";
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  for (let number = 0; number < lines.length; number++) {
    const at = number + 1;
    const line = lines[number]!.trim();
    if (line === "" || line.startsWith("#")) continue;
    const header = /^\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null) {
      const name = readName(header[1]!);
      if (name === null) return `line ${at} is no table name`;
      table = name;
      entries.push({ name, first: number, last: number });
      continue;
    }
    const assignment = /^((?:"[^"]*"|'[^']*'|[\w.\s-])+)=\s*(.+)$/.exec(line);
    const name = assignment === null ? null : readName(assignment[1]!.trimEnd());
    if (assignment === null || name === null) return `line ${at} is neither a table nor a value`;
    const end = skipValue(lines, number, assignment[2]!);
    if (end === null) return `the value that begins in line ${at} does not end`;
    entries.push({
      name: table === "" ? name : `${table}.${name}`,
      value: [assignment[2]!, ...lines.slice(number + 1, end + 1)].join("\n"),
      first: number,
      last: end,
    });
    number = end;
  }
  return entries;
}

/** The line on which a value ends. */
function skipValue(lines: readonly string[], first: number, begin: string): number | null {
  let depth = 0;
  let open: string | null = null;
  for (let number = first, rest = begin; number < lines.length; rest = lines[++number] ?? "") {
    for (let at = 0; at < rest.length; ) {
      const three = rest.slice(at, at + 3);
      const character = rest[at]!;
      if (open !== null) {
        if (character === "\\" && open.startsWith('"')) at += 2;
        else if (rest.startsWith(open, at)) {
          at += open.length;
          open = null;
        } else at++;
      } else if (three === '"""' || three === "'''") {
        open = three;
        at += 3;
      } else if (character === '"' || character === "'") {
        open = character;
        at++;
      } else if (character === "#") break;
      else {
        if (character === "[" || character === "{") depth++;
        if (character === "]" || character === "}") depth--;
        at++;
      }
    }
    // A plain string ends on the same line.
    if (depth < 0 || open?.length === 1) return null;
    if (depth === 0 && open === null) return number;
  }
  return null;
}

function readName(name: string): string | null {
  const parts = name.match(/"[^"]*"|'[^']*'|[\w-]+/g);
  const between = name.replace(/"[^"]*"|'[^']*'|[\w-]+/g, "").replaceAll(/\s/g, "");
  if (parts === null || between !== ".".repeat(parts.length - 1)) return null;
  return parts.map((part) => part.replace(/^["']|["']$/g, "")).join(".");
}
