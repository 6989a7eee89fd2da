import { scopeOf } from "../notes/note-path.ts";
import { hasRelativeLink } from "../text/note-parts.ts";
import { anchorDates } from "../text/relative-dates.ts";
import type { SupersededPair } from "./compare-statements.ts";
import type { Change } from "./consolidation.ts";
import { archiveFolder, type Planning, placeOf, privateArchive, removal, sourceOf } from "./planning.ts";
import { markerOf, type Statement } from "./statements.ts";

/** Merges lines that say the same: the one in the long-term memory stays, otherwise the newest. */
export function mergeDuplicates(planning: Planning, isLasting: (said: string) => boolean): void {
  const { input, comparison, isFree, isSettled, propose } = planning;
  for (const all of comparison.same) {
    const group = all.filter(isFree);
    if (group.length < 2) continue;
    const curated = group.filter(({ note }) => note.date === null);
    const kept =
      curated.find(({ note }) => note.path === input.longTermPath) ?? curated.at(-1) ?? group.at(-1)!;
    const gone = group.filter((statement) => {
      const { note } = statement;
      if (statement === kept) return false;
      if (note.date === null) return input.since === undefined;
      if (!isSettled(note)) return false;
      // An event that recurs is reported again: only lasting facts are duplicates.
      return kept.note.date === null || kept.note.path === note.path || isLasting(statement.said);
    });
    if (gone.length === 0 || planning.isTemplate(gone.length)) continue;
    const places = gone.map(placeOf).join(", ");
    propose({
      kind: "merge",
      reason: `${placeOf(kept)} says the same as ${places}; one of them is enough.`,
      sources: [sourceOf(kept), ...gone.map(sourceOf)],
      changes: gone.map(removal),
    });
  }
}

/** Retires lines that a newer line contradicts. */
export function retireSuperseded(planning: Planning): void {
  const { input, comparison, isFree, isSettled, propose } = planning;
  for (const pair of comparison.superseded) {
    const { older, newer } = pair;
    const isRecent = input.since === undefined || (newer.note.date ?? "") >= input.since;
    if (!isFree(older) || !(older.note.date === null ? isRecent : isSettled(older.note))) continue;
    propose({
      kind: "supersede",
      reason: `${placeOf(newer)} says otherwise${dayOf(newer)}.`,
      sources: [sourceOf(older), sourceOf(newer)],
      changes: supersedeChanges(planning, pair),
    });
  }
}

/**
 * In a daily note the older line is marked, because the note is a record of its day. Elsewhere it moves to the archive,
 * and the newer line of a daily note takes its place: a session begins with the curated notes, which must be up to
 * date.
 */
export function supersedeChanges(planning: Planning, pair: SupersededPair): Change[] {
  const { older, newer } = pair;
  const { note, startLine, lines } = older;
  const why = `superseded${dayOf(newer)}`;
  if (note.date === null) return [archiveLine(planning, older, why), ...replacement(planning, pair)];
  const marked = [...lines.slice(0, -1), strike(lines.at(-1)!, `(${why})`)];
  return [{ path: note.path, startLine, before: lines, after: marked }];
}

function replacement({ isFree, isSettled }: Planning, { older, newer }: SupersededPair): Change[] {
  const { note, startLine, lines } = older;
  const { date } = newer.note;
  if (date === null || !isFree(newer) || hasRelativeLink(newer.said)) return [removal(older)];
  const marker = markerOf(lines[0]!);
  const line = `${marker}${anchorDates(newer.said, date)} (${date})`;
  const replaced = { path: note.path, startLine, before: lines, after: [line] };
  return isSettled(newer.note) ? [replaced, removal(newer)] : [replaced];
}

function dayOf({ note }: Statement): string {
  return note.date === null ? "" : ` on ${note.date}`;
}

/** Strikes the line out, so that people and models see at once that it no longer holds. */
function strike(line: string, note: string): string {
  const marker = markerOf(line);
  const rest = line.slice(marker.length);
  const written = rest.trimEnd();
  const opened = written.lastIndexOf("<!-- from: ");
  const hasOrigin = opened !== -1 && /^<!-- from: [^<>]*-->$/.test(written.slice(opened));
  const said = hasOrigin ? written.slice(0, opened).trimEnd() : written;
  return `${marker}~~${said}~~ ${note}${rest.slice(said.length)}`;
}

/** A line for the archive, with its origin. */
export function archiveLine({ append }: Planning, { note, said }: Statement, why: string): Change {
  const isPrivate = scopeOf(note.path) === "private";
  const path = isPrivate ? privateArchive : `${archiveFolder}superseded.md`;
  return append(path, [`- ${said} (from ${note.path}, ${why})`], "# Archive");
}

/**
 * Appends the date to words such as "yesterday", which mean nothing a month later. One step per note. "Today" stays as
 * it is, because the note's name says which day that was.
 */
export function anchorRelativeDates({ notes, isFree, isSettled, propose }: Planning): void {
  for (const { note, lines, prose } of notes) {
    if (!isSettled(note)) continue;
    const changes = prose.flatMap((number): Change[] => {
      const line = lines[number - 1]!;
      const anchored = anchorDates(line, note.date!, { ownDay: false });
      if (anchored === line || !isFree({ note, startLine: number, endLine: number })) return [];
      return [{ path: note.path, startLine: number, before: [line], after: [anchored] }];
    });
    if (changes.length === 0) continue;
    const count =
      changes.length === 1 ? "A relative date gets" : `${changes.length} lines with relative dates get`;
    propose({
      kind: "anchor",
      reason: `${count} the day that is meant, counted from ${note.date}.`,
      sources: changes.map(({ path, startLine, before }) => ({
        path,
        startLine,
        endLine: startLine,
        text: before[0]!,
      })),
      changes,
    });
  }
}
