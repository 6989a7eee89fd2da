import { privateFolder } from "../notes/note-path.ts";
import { hasRelativeLink, linkTargets } from "../text/link-targets.ts";
import { outlineMarkdown } from "../text/markdown.ts";
import { archiveFolder, dayBefore, type Planning } from "./planning.ts";

/**
 * A session begins with the first lines of the long-term memory. What does not fit is not read, so sections from its
 * end move to private notes of their own, and a line says where.
 */
export function trimLongTerm({ input, longTerm, isFree, append, propose }: Planning): void {
  if (longTerm === undefined) return;
  const { note, lines } = longTerm;
  let over = note.text.length - input.maxLongTermChars;
  if (over <= 0) return;
  const { headings } = outlineMarkdown(note.text, 0);
  const sections = headings.filter(({ level }) => level === 2);
  for (const section of sections.toReversed()) {
    if (over <= 0) return;
    const next = headings.find(({ line, level }) => line > section.line && level <= 2);
    const start = section.line + 1;
    const end = next?.line ?? lines.length;
    const body = trimBlank(lines.slice(start, end));
    const first = start + body.skipped + 1;
    const size = body.lines.join("\n").length;
    // Moving less than the line that says where it went is no gain.
    const path = `${privateFolder}${slugOf(section.text)}.md`;
    const pointer = `- See [${section.text}](${path}).`;
    if (size <= pointer.length * 2) continue;
    if (!isFree({ note, startLine: first, endLine: first + body.lines.length - 1 })) continue;
    over -= size - pointer.length;
    propose({
      kind: "trim",
      reason: `${note.path} has ${note.text.length} characters, and a session begins with the first ${input.maxLongTermChars}: the section "${section.text}" moves to ${path}.`,
      sources: [
        {
          path: note.path,
          startLine: first,
          endLine: first + body.lines.length - 1,
          text: body.lines.join("\n"),
        },
      ],
      changes: [
        append(path, body.lines, `# ${section.text}`),
        { path: note.path, startLine: first, before: body.lines, after: [pointer] },
      ],
    });
  }
}

function trimBlank(lines: readonly string[]): { lines: readonly string[]; skipped: number } {
  const isFull = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isFull);
  if (first === -1) return { lines: [], skipped: 0 };
  return { lines: lines.slice(first, lines.findLastIndex(isFull) + 1), skipped: first };
}

function slugOf(heading: string): string {
  const slug = heading
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" || slug === "archive" ? "more" : slug;
}

/** Daily notes that are old, and that no note links to and no search has brought up, move to the archive. */
export function archiveOldNotes({ input, notes, isSettled, isUntouched, propose }: Planning): void {
  const { today, archiveAfterDays, recallsOf } = input;
  const limit = dayBefore(today, archiveAfterDays);
  const linked = new Set(notes.flatMap(({ note }) => linkTargets(note.text)));
  const known = new Set(input.notes.map(({ path }) => path));
  for (const { note, lines } of notes) {
    if (!isSettled(note) || note.date! >= limit || !isUntouched(note.path)) continue;
    if (lines.every((line) => line.trim() === "") || hasRelativeLink(note.text)) continue;
    const name = note.path.slice(note.path.lastIndexOf("/") + 1);
    const isLinked = [note.path, note.path.slice(0, -".md".length), name, name.slice(0, -".md".length)].some(
      (target) => linked.has(target),
    );
    const recalls = recallsOf?.(note.path);
    if (isLinked || (recalls ?? 0) > 0) continue;
    const movesTo = `${archiveFolder}${note.path.replace(/^memory\//, "")}`;
    if (known.has(movesTo)) continue;
    const unused =
      recalls === undefined ? "no note links to it" : "no note links to it and no search has recalled it";
    propose({
      kind: "archive",
      reason: `${note.path} is more than ${archiveAfterDays} days old, and ${unused}. It stays searchable in the archive.`,
      sources: [{ path: note.path, startLine: 1, endLine: lines.length, text: lines.join("\n") }],
      changes: [{ path: note.path, startLine: 1, before: lines, after: [], movesTo }],
    });
  }
}
