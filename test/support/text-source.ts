import type { Listing, SkippedEntry, Source } from "../../src/sources/source.ts";
import { sha256 } from "../../src/text/hash.ts";

export interface TextSource extends Source {
  /** The contents of the source by path. Tests change it as a user would change files. */
  readonly texts: Map<string, string>;
  /** Part of every version, so that a version can change while the text stays. */
  stamp: number;
  /** The error that reading a path throws. */
  readonly failures: Map<string, unknown>;
  /** Paths that are listed as slow to read. */
  readonly slow: Set<string>;
  skipped: SkippedEntry[];
  /** The paths that were read, in order. */
  readonly reads: string[];
  onListed: () => Promise<void> | void;
  onRead: (path: string) => Promise<void> | void;
}

/** An in-memory source that can be put into every state of a folder. */
export function createTextSource(texts: Record<string, string> = {}): TextSource {
  const versionOf = (path: string): string => `${source.stamp}:${sha256(source.texts.get(path)!)}`;
  const source: TextSource = {
    specificationVersion: 1,
    name: "memory",
    texts: new Map(Object.entries(texts)),
    stamp: 1,
    failures: new Map(),
    slow: new Set(),
    skipped: [],
    reads: [],
    onListed: () => {},
    onRead: () => {},
    async list(): Promise<Listing> {
      const skipped = new Set(source.skipped.map(({ path }) => path));
      const entries = [...source.texts.keys()]
        .filter((path) => !skipped.has(path))
        .map((path) => ({ path, version: versionOf(path), isSlow: source.slow.has(path) }));
      const listing = { entries, skipped: [...source.skipped] };
      await source.onListed();
      return listing;
    },
    async read(path) {
      source.reads.push(path);
      await source.onRead(path);
      if (source.failures.has(path)) throw source.failures.get(path);
      const text = source.texts.get(path);
      if (text === undefined) return null;
      return {
        source: source.name,
        path,
        version: versionOf(path),
        text,
        hash: sha256(text),
        sizeBytes: Buffer.byteLength(text),
        modifiedAt: new Date(0),
        scope: "shared",
      };
    },
  };
  return source;
}
