import type { HostFile } from "./host.ts";
import { refuseSettings } from "./json-settings.ts";

export interface TomlTable extends Pick<HostFile, "path" | "purpose"> {
  /** Dotted name of the table. */
  readonly table: string;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
}

/** A settings file in TOML that gets one table at its end, unless it has a table of that name. All else stays. */
export function tomlTable({ path, purpose, table, values }: TomlTable): HostFile {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const snippet = `[${table}]\n${lines.join("\n")}\n`;
  return {
    path,
    purpose,
    snippet,
    edit(text) {
      if (text === null || text.trim() === "") return snippet;
      const keys = readTomlKeys(text);
      if (typeof keys === "string") throw refuseSettings(path, keys, snippet);
      if (keys.some((key) => key === table || key.startsWith(`${table}.`))) return text;
      const parent = table.slice(0, table.lastIndexOf("."));
      // An inline table cannot be extended by a later one.
      if (keys.includes(`${parent}=`))
        throw refuseSettings(path, `${parent} is an inline table there`, snippet);
      const newline = text.includes("\r\n") ? "\r\n" : "\n";
      const gap = text.endsWith("\n") ? newline : newline + newline;
      return text + gap + snippet.replaceAll("\n", newline);
    },
  };
}

/**
 * The dotted names of all tables and, with their table, of all keys; a key with an inline table also as `name=`. Not a
 * parser: it follows strings, comments and brackets, so that it is never deceived by their contents. Gives the reason
 * when it is lost.
 */
export function readTomlKeys(text: string): string[] | string {
  const keys: string[] = [];
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
      keys.push(table);
      continue;
    }
    const assignment = /^((?:"[^"]*"|'[^']*'|[\w.\s-])+)=\s*(.+)$/.exec(line);
    const name = assignment === null ? null : readName(assignment[1]!.trimEnd());
    if (assignment === null || name === null) return `line ${at} is neither a table nor a value`;
    const full = table === "" ? name : `${table}.${name}`;
    keys.push(full);
    if (assignment[2]!.startsWith("{")) keys.push(`${full}=`);
    const end = skipValue(lines, number, assignment[2]!);
    if (end === null) return `the value that begins in line ${at} does not end`;
    number = end;
  }
  return keys;
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
    // A plain string ends on its line.
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
