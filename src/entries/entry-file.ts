import { findTopItems } from "../text/entries.ts";
import { sha256 } from "../text/hash.ts";
import { guessCategory } from "./capture-facts.ts";
import { defaultImportance, type Entry, isCategory, type PlacedEntry } from "./entries.ts";

/**
 * The entries of a file that people may edit: each top-level list item with everything indented below it. Its metadata
 * is in a comment after the text. Missing or invalid metadata gets its default, so that no editing mistake loses an
 * entry.
 */
export function parseEntries(file: string): PlacedEntry[] {
  const text = file.replace(/^\ufeff/, "");
  const lines = text.split("\n");
  const taken = new Set<string>();
  return findTopItems(text).flatMap(({ start, end }) => {
    const item = readItem(lines.slice(start - 1, end));
    if (item.text === "") return [];
    const { origin, ...known } = item.known;
    const entry: PlacedEntry = {
      id: freeId(known.id, item.text, taken),
      text: item.text,
      category: known.category ?? guessCategory(item.text),
      importance: known.importance ?? defaultImportance,
      createdAt: known.createdAt ?? null,
      ...(origin !== undefined && { origin }),
      startLine: start,
      endLine: end,
    };
    taken.add(entry.id);
    return [entry];
  });
}

/** The line that an entry becomes in the file; its text comes from `cleanFact`. */
export function formatEntry({ id, text, category, importance, createdAt, origin }: Entry): string {
  const parts = [
    `id: ${id}`,
    `category: ${category}`,
    `importance: ${importance}`,
    ...(createdAt === null ? [] : [`created: ${createdAt}`]),
    ...(origin === undefined || origin === "" ? [] : [`from: ${origin}`]),
  ];
  return `- ${text} <!-- ${parts.join(" ")} -->`;
}

/** A fact as one line that contains no comment markers and reads back unchanged. */
export function cleanFact(text: string): string {
  return text.replaceAll("<!--", "<! --").replace(/\s+/g, " ").trim();
}

/** Texts that differ only in width, case, spacing or a full stop are the same. */
export function factKey(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!…。]{1,8}$/, "")
    .trimEnd();
}

/** Derived from the text and the time, so that the same text, removed and stored again, is a new entry. */
export function newId(text: string, createdAt: string): string {
  return shorten(`${createdAt}\n${text}`);
}

type Known = {
  -readonly [Field in "id" | "category" | "importance" | "createdAt" | "origin"]?: Entry[Field];
};

const wholeComment = /<!--[^<>]*-->/g;
/** Truncated by an edit: it extends to the end of its line. */
const openComment = /<!-- (?:id|from|category|importance|created):[^<>]*$/;

function readItem(lines: readonly string[]): { text: string; known: Known } {
  const known: Known = {};
  const take = (comment: string): string => {
    const found = readComment(comment);
    if (found === null) return comment;
    // The first one counts: later ones may be part of pasted text.
    for (const [field, value] of Object.entries(found))
      Object.assign(known, { [field]: known[field as "id"] ?? value });
    return "";
  };
  const indent = /^\s*(?:[-*+]|\d{1,9}[.)])\s*/.exec(lines[0]!)![0];
  const text = lines.map((line, at) => {
    const own = at === 0 ? line.slice(indent.length) : dedent(line, indent.length);
    return own.replace(wholeComment, take).replace(openComment, take).trimEnd();
  });
  return { text: text.join("\n").trim(), known };
}

/** Null for a foreign comment, which is part of the text. */
function readComment(comment: string): Known | null {
  const body = comment.replace(/^<!--/, "").replace(/-->$/, "");
  const [facts = "", origin] = splitOrigin(body);
  const fields = new Map(
    Array.from(facts.matchAll(/(?<=^|\s)(id|category|importance|created):\s?(\S{0,80})/g), (match) => [
      match[1]!,
      match[2]!,
    ]),
  );
  if (fields.size === 0 && origin === undefined) return null;
  const known: Known = {};
  const id = fields.get("id")?.toLowerCase() ?? "";
  if (/^[0-9a-z]{4,40}$/.test(id)) known.id = id;
  const category = fields.get("category")?.toLowerCase() ?? "";
  if (isCategory(category)) known.category = category;
  const importance = Number(fields.get("importance") || Number.NaN);
  if (Number.isFinite(importance)) known.importance = Math.min(1, Math.max(0, importance));
  const created = new Date(fields.get("created") ?? "");
  if (!Number.isNaN(created.getTime())) known.createdAt = toSeconds(created);
  if (origin) known.origin = origin;
  return known;
}

/** The origin is the last field, because it may contain spaces. */
function splitOrigin(body: string): [string, string?] {
  const at = body.search(/(?:^|\s)from:/);
  return at === -1 ? [body] : [body.slice(0, at), body.slice(body.indexOf("from:", at) + 5).trim()];
}

export function toSeconds(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, "Z");
}

/** A copied line has the same id: the first keeps it, the others get one derived from their text. */
function freeId(id: string | undefined, text: string, taken: ReadonlySet<string>): string {
  if (id !== undefined && !taken.has(id)) return id;
  for (let copy = 1; ; copy++) {
    const derived = shorten(copy === 1 ? text : `${copy}\n${text}`);
    if (!taken.has(derived)) return derived;
  }
}

function shorten(text: string): string {
  return sha256(text).slice(0, 12);
}

function dedent(line: string, width: number): string {
  const blank = line.length - line.trimStart().length;
  return line.slice(Math.min(blank, width));
}
