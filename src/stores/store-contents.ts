import { sha256 } from "../text/hash.ts";
import type { DocumentContents, IndexContents } from "./index-contents.ts";
import type { Store } from "./store.ts";

/**
 * What any store holds, read through its interface. Words are counted over all chunks. Vectors are told by how similar
 * they are to one that is made up: a vector that is missing, or that of another text, shows.
 */
export function readStoreContents(
  store: Store,
  embedderId: string | undefined,
): Omit<IndexContents, keyof AsyncDisposable> {
  const measure = async (ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    if (embedderId === undefined) return new Map();
    const { dims } = await store.vectorStatistics(embedderId);
    return dims === undefined ? new Map() : await store.similarities(embedderId, makeProbe(dims), ids);
  };

  async function* documents(): AsyncGenerator<DocumentContents> {
    for (const source of ["memory", "sessions"] as const) {
      const versions = [...(await store.versions(source))].sort(([left], [right]) =>
        compareBytes(left, right),
      );
      for (const [path, { hash, chunker }] of versions) {
        const chunks = await store.chunksOf(source, path);
        const similar = await measure(chunks.map(({ id }) => id));
        yield {
          source,
          path,
          facts: [`hash ${hash}`, `chunker ${chunker}`, `chunk_count ${chunks.length}`],
          chunks: chunks.map(({ id, lines, headings, text, date, scope }) => ({
            place: `${lines.start}-${lines.end} ${date ?? ""} ${scope}`,
            headings: headings.join(" / "),
            text: sha256(text),
            tokens: "",
            vectors: similar.get(id)?.toFixed(9) ?? null,
          })),
        };
      }
    }
  }

  const words = async (): Promise<ReadonlyMap<string, number>> => {
    const found = await store.tokensWithPrefix("", Number.MAX_SAFE_INTEGER);
    return new Map(found.map(({ token, chunks }) => [token, chunks]));
  };
  return { documents, words, strays: () => [] };
}

/** No text has this vector, and every number of it differs. */
function makeProbe(dims: number): Float32Array {
  const numbers = Float32Array.from({ length: dims }, (_, index) => Math.sin(1 + index * index));
  const length = Math.hypot(...numbers);
  return numbers.map((each) => each / length);
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
