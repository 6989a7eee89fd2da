import type { LanceTable } from "./lance-package.ts";

/** A text that some chunk holds. */
export interface ChunkText {
  readonly hash: string;
  readonly sizeBytes: number;
  /** How many chunks hold it. */
  chunks: number;
}

/** The texts of all chunks, in the order in which they stand in the notes, by hash. */
export type ChunkTexts = ReadonlyMap<string, ChunkText>;

/** Which texts there are, in memory until the table changes: what lacks vectors is the difference to a set of them. */
export function createChunkTexts(): { read(chunks: LanceTable): Promise<ChunkTexts> } {
  let held: { readonly version: number; readonly texts: Promise<ChunkTexts> } | null = null;
  return {
    async read(chunks) {
      const version = await chunks.version();
      if (held?.version !== version) held = { version, texts: load(chunks) };
      try {
        return await held.texts;
      } catch (error) {
        held = null;
        throw error;
      }
    },
  };
}

async function load(chunks: LanceTable): Promise<ChunkTexts> {
  const found = await chunks
    .query()
    .where("id IS NOT NULL")
    .select(["doc", "position", "hash", "text_bytes"])
    .toArrow();
  const [docs, positions, hashes, sizes] = ["doc", "position", "hash", "text_bytes"].map(
    (name) => found.getChild(name)!,
  );
  const rows = Array.from({ length: found.numRows }, (_, at) => ({
    doc: docs!.get(at) as string,
    position: positions!.get(at) as number,
    hash: hashes!.get(at) as string,
    sizeBytes: sizes!.get(at) as number,
  }));
  rows.sort((a, b) => (a.doc < b.doc ? -1 : a.doc > b.doc ? 1 : a.position - b.position));
  const texts = new Map<string, ChunkText>();
  for (const { hash, sizeBytes } of rows) {
    const known = texts.get(hash);
    if (known === undefined) texts.set(hash, { hash, sizeBytes, chunks: 1 });
    else known.chunks++;
  }
  return texts;
}
