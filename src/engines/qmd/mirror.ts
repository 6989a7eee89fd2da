import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import { makeFolder, removeFileSync, removeFolderSync, renameFileSync } from "../../files.ts";
import type { Source } from "../../sources/source.ts";
import type { Document, Scope, SourceName } from "../../text/document.ts";
import { sha256 } from "../../text/hash.ts";

/** A document as it was last copied. */
export interface MirroredDocument {
  readonly source: SourceName;
  readonly path: string;
  readonly version: string;
  readonly hash: string;
  readonly scope: Scope;
  readonly date?: string;
  /** Relative to its collection's folder. */
  readonly file: string;
}

interface SyncOptions {
  readonly signal?: AbortSignal | undefined;
  readonly isThorough?: boolean;
}

/** One per source and scope, so that a search in a group never touches private notes. */
export const collections = ["memory", "memory-private", "sessions", "sessions-private"] as const;

export function collectionOf({ source, scope }: { source: SourceName; scope: Scope }): string {
  return scope === "private" ? `${source}-private` : source;
}

/**
 * A copy of all documents for another program to index: exactly what the sources yield, so their rules apply
 * (exclusions, links, roots) and secrets are masked. It is derived and may be deleted at any time.
 *
 * The file names are ours, because qmd could skip or change those of notes.
 */
export function createMirror(folder: string, sources: readonly Source[]) {
  const listFile = join(folder, "documents.json");
  let known = new Map<string, MirroredDocument>();
  let byFile: Map<string, MirroredDocument> | null = null;
  /** The list that `known` was read from or written to. */
  let stamp: string | null = null;

  /** Another process may have changed it. */
  function load(): Map<string, MirroredDocument> {
    const latest = stampOf(listFile);
    if (byFile !== null && latest !== null && latest === stamp) return byFile;
    stamp = latest;
    known = new Map(readList(listFile).map((document) => [keyOf(document), document]));
    byFile = new Map([...known.values()].map((document) => [fileKey(document), document]));
    return byFile;
  }

  function save(): void {
    const text = JSON.stringify({ layout, documents: [...known.values()] });
    replaceFile(listFile, text);
    byFile = new Map([...known.values()].map((document) => [fileKey(document), document]));
    stamp = stampOf(listFile);
  }

  function pathOf(document: Pick<MirroredDocument, "source" | "scope" | "file">): string {
    return join(folder, collectionOf(document), document.file);
  }

  function drop(key: string): void {
    const before = known.get(key);
    if (before === undefined) return;
    removeFileSync(pathOf(before));
    known.delete(key);
  }

  async function copy(source: Source, path: string): Promise<void> {
    const key = keyOf({ source: source.name, path });
    const before = known.get(key);
    const document = await readWhole(source, path);
    if (document === null) {
      drop(key);
      return;
    }
    const { version, hash, scope, date, text } = document;
    const file = nameFile(path);
    const isSame = before?.hash === hash && before.scope === scope && before.date === date;
    if (!isSame) {
      drop(key);
      replaceFile(pathOf({ source: source.name, scope, file }), text);
    }
    known.set(key, {
      ...{ source: source.name, path, version, hash, scope, file },
      ...(date === undefined ? {} : { date }),
    });
  }

  return {
    /** Updates the copy from the sources; if thorough, also removes leftovers of killed processes. */
    async sync({ signal, isThorough = false }: SyncOptions): Promise<void> {
      for (const name of collections) makePrivate(join(folder, name));
      const isKnown = !isThorough && stamp !== null && stamp === stampOf(listFile);
      const files = load();
      let isTouched = isKnown ? false : removeStray(files);
      try {
        for (const source of sources) {
          const ours = [...known.values()].filter((document) => document.source === source.name);
          const versions = new Map(ours.map(({ path, version }) => [path, { version }]));
          const { entries } = await source.list({ known: versions, signal });
          const listed = new Set(entries.map(({ path }) => path));
          for (const document of ours.filter(({ path }) => !listed.has(path))) {
            drop(keyOf(document));
            isTouched = true;
          }
          for (const { path, version } of entries) {
            throwIfAborted(signal);
            if (versions.get(path)?.version === version) continue;
            isTouched = true;
            try {
              await copy(source, path);
            } catch (error) {
              // Nothing outdated stays. The builtin engine reads the same documents and reports what fails.
              drop(keyOf({ source: source.name, path }));
              if (!(error instanceof LonghandError)) throw error;
            }
          }
        }
      } finally {
        // Files that were written before the cancellation exist, but are not in the list.
        if (isTouched) save();
      }
    },
    documents: (): MirroredDocument[] => [...load().values()],
    find: (collection: string, file: string): MirroredDocument | null =>
      load().get(`${collection}/${file}`) ?? null,
    /** The hash of each text, by its file relative to the folder of all collections. */
    hashes: () => new Map([...load()].map(([file, { hash }]) => [file, hash])),
    readText(document: MirroredDocument): string | null {
      try {
        return readFileSync(pathOf(document), "utf8");
      } catch {
        return null;
      }
    },
  };

  /** Removes files that a killed process has copied without listing them. */
  function removeStray(files: ReadonlyMap<string, MirroredDocument>): boolean {
    let isFound = false;
    for (const name of collections) {
      for (const file of readdirSync(join(folder, name))) {
        if (files.has(`${name}/${file}`)) continue;
        removeFolderSync(join(folder, name, file));
        isFound = true;
      }
    }
    return isFound;
  }
}

/** Changes with the layout of the copy, which is then rebuilt. */
const layout = 1;

function readList(file: string): MirroredDocument[] {
  try {
    const list = JSON.parse(readFileSync(file, "utf8"));
    return list.layout === layout ? list.documents : [];
  } catch {
    // Missing or damaged: everything is copied again.
    return [];
  }
}

/** Transcripts are read in parts; each line of the copy is one line of the original. */
async function readWhole(source: Source, path: string): Promise<Document | null> {
  let document = await source.read(path);
  const parts: Document[] = [];
  for (;;) {
    if (document === null) return null;
    parts.push(document);
    if (document.part === undefined || document.part.isLast) break;
    document = await source.read(path, { since: document.version });
  }
  if (parts.length === 1) return document;
  const lines: string[] = [];
  for (const { text, part } of parts) {
    lines.length = (part?.firstLine ?? 1) - 1;
    for (const line of text.split("\n")) lines.push(line);
  }
  return { ...document, text: lines.join("\n") };
}

/** Words of the path are kept, because qmd searches them too; the hash makes names unique. */
function nameFile(path: string): string {
  const words = path
    .replace(/\.[^./]+$/, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+/, "");
  return `${[...words].slice(0, 50).join("")}-${sha256(path).slice(0, 12)}.md`;
}

/** A reader sees the old file or the new one. The temporary name begins with a dot, so that it is not indexed. */
function replaceFile(file: string, text: string): void {
  const draft = join(file, "..", `.${process.pid}.tmp`);
  writeFileSync(draft, text, { mode: 0o600 });
  renameFileSync(draft, file);
}

/** Other users of the machine must not read notes. */
function makePrivate(folder: string): void {
  makeFolder(folder, 0o700);
}

function keyOf({ source, path }: { source: SourceName; path: string }): string {
  return `${source}:${path}`;
}

/** The path of its copy, relative to the folder of all collections. */
export function fileKey(document: MirroredDocument): string {
  return `${collectionOf(document)}/${document.file}`;
}

/** Changes whenever a file is written or replaced; null if there is none. */
export function stampOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
