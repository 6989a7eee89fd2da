import type { NoteEntry } from "../api.ts";
import { nameMonth } from "../text/calendar.ts";
import { noteName } from "../text/human.ts";

/** A row of the list: a collapsible folder, or a note. */
export type TreeRow =
  | {
      readonly kind: "folder";
      readonly key: string;
      readonly name: string;
      readonly depth: number;
      readonly count: number;
      readonly isOpen: boolean;
    }
  | {
      readonly kind: "note";
      readonly key: string;
      readonly name: string;
      readonly depth: number;
      readonly note: NoteEntry;
    };

interface TreeOptions {
  /** Collapsed folders, by key. */
  readonly closed: ReadonlySet<string>;
  /** Words that a path has to contain; while there are any, all folders are expanded. */
  readonly filter: string;
}

/** Long-term memory first, then daily notes by month, newest first, then topics by folder. */
export function listRows(notes: readonly NoteEntry[], { closed, filter }: TreeOptions): TreeRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const kept =
    words.length === 0 ? notes : notes.filter(({ path }) => includesAll(path.toLowerCase(), words));
  const isOpen = (key: string) => words.length > 0 || !closed.has(key);
  const folder = (key: string, name: string, entries: readonly NoteEntry[], depth = 0): TreeRow[] => [
    { kind: "folder", key, name, depth, count: entries.length, isOpen: isOpen(key) },
  ];
  const rows: TreeRow[] = kept.filter(isLongTerm).map((note) => toRow(note, note.path, 0));

  const daily = kept.filter(({ date }) => date !== undefined);
  const months = Map.groupBy(daily, ({ date }) => date!.slice(0, 7));
  for (const [month, entries] of [...months].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const key = `month:${month}`;
    rows.push(...folder(key, nameMonth(month), entries));
    if (!isOpen(key)) continue;
    const newest = [...entries].sort((a, b) =>
      a.date! === b.date! ? compare(a.path, b.path) : a.date! < b.date! ? 1 : -1,
    );
    const sameName = Map.groupBy(newest, dailyName);
    rows.push(
      ...newest.map((note) => {
        const name = dailyName(note);
        return toRow(note, sameName.get(name)!.length === 1 ? name : `${name} (${folderOf(note)})`, 1);
      }),
    );
  }

  const topics = kept.filter((note) => note.date === undefined && !isLongTerm(note));
  const folders = Map.groupBy(topics, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  for (const [path, entries] of [...folders].sort(([a], [b]) => compare(a, b))) {
    const key = `folder:${path}`;
    rows.push(...folder(key, path === "" ? "Workspace" : path, entries));
    if (!isOpen(key)) continue;
    const byName = [...entries].sort((a, b) => compare(a.path, b.path));
    rows.push(...byName.map((note) => toRow(note, note.path.slice(path.length), 1)));
  }
  return rows;
}

function isLongTerm({ path }: NoteEntry): boolean {
  return path === "MEMORY.md" || path === "memory.md";
}

function toRow(note: NoteEntry, name: string, depth: number): TreeRow {
  return { kind: "note", key: `note:${note.path}`, name, depth, note };
}

/** If a vault has several notes for one day, the name alone would not distinguish them. */
function folderOf({ path }: NoteEntry): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "Workspace";
}

/** The day and the rest of the name, such as `2026-03-02-launch.md` within its month. */
function dailyName({ path, date }: NoteEntry): string {
  const name = noteName(path);
  if (!name.startsWith(date!)) return `${date} ${name}`;
  const rest = name.slice(date!.length).replace(/^-/, "");
  return rest === "" ? date! : `${date} ${rest}`;
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
