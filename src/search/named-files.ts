import { pathInLayer } from "../text/layer-path.ts";

/** How a question names a file. */
export type FileNaming =
  /** By its whole name (`roadmap q3.md`) or path, or with nothing but its name. */
  | "exact"
  /** By its name without the ending, as it is written there: "the deploy-runbook". */
  | "stem";

/** Tells how a question names the file at a path; null when it does not. */
export type NamedFile = (path: string) => FileNaming | null;

const noteEnding = /\.(?:md|markdown)$/;
/** What may stand around a name in a sentence. */
const edge = /[\s"'`“”‘’«»()[\]<>,;:!?]/;

/** Prepares to look for the names of files in a question. */
export function createNamedFile(query: string): NamedFile {
  const asked = query.normalize("NFKC").toLowerCase().trim();
  const whole = spaced(asked.replace(/^["'`\s]+|["'`\s.?!]+$/g, "").replace(noteEnding, ""));
  return (path) => {
    const lower = pathInLayer(path).normalize("NFKC").toLowerCase();
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    const stem = name.replace(noteEnding, "");
    if (whole !== "" && (spaced(stem) === whole || spaced(lower.replace(noteEnding, "")) === whole)) {
      return "exact";
    }
    if (name !== stem && names(asked, name, lower)) return "exact";
    const isTelling = /[-_.]/.test(stem) && !/^[\d\W_]+$/.test(stem);
    return isTelling && names(asked, stem, lower.replace(noteEnding, "")) ? "stem" : null;
  };
}

/** The words of file names that the question gives with their ending: to find notes of that name by. */
export function fileNamesIn(query: string): string[] {
  return [...query.matchAll(/[^\s"'`“”‘’«»()[\]<>,;]+\.(?:md|markdown)(?![\p{L}\p{N}])/giu)].map(([name]) =>
    name.slice(name.lastIndexOf("/") + 1),
  );
}

/** Whether the name stands in the question by itself, or behind a path that does not speak of another file. */
function names(asked: string, name: string, path: string): boolean {
  for (let at = asked.indexOf(name); at !== -1; at = asked.indexOf(name, at + 1)) {
    const after = asked[at + name.length];
    const isEnd =
      after === undefined || edge.test(after) || /^\.(?:\s|$)/.test(asked.slice(at + name.length));
    if (!isEnd) continue;
    const before = asked[at - 1];
    if (before === undefined || edge.test(before)) return true;
    if (before !== "/") continue;
    let start = at;
    while (start > 0 && !edge.test(asked[start - 1]!)) start--;
    const written = asked.slice(start, at + name.length).replace(/^\.?\//, "");
    if (path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`)) return true;
  }
  return false;
}

function spaced(text: string): string {
  return text.replace(/[\s\-_/]+/g, " ").trim();
}
