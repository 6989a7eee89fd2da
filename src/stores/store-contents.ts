import { sha256 } from "../text/hash.ts";
import type { DocumentContents, IndexContents } from "./index-contents.ts";
import type { Store } from "./store.ts";

/**
 * What any store holds, read through its interface. Words and vectors cannot be read that way: they are left out, and
 * two such contents are equal in both.
 */
export function readStoreContents(store: Store): Omit<IndexContents, keyof AsyncDisposable> {
  async function* documents(): AsyncGenerator<DocumentContents> {
    for (const source of ["memory", "sessions"] as const) {
      const versions = [...(await store.versions(source))].sort(([left], [right]) =>
        compareBytes(left, right),
      );
      for (const [path, { hash, chunker }] of versions) {
        const chunks = await store.chunksOf(source, path);
        yield {
          source,
          path,
          facts: [`hash ${hash}`, `chunker ${chunker}`, `chunk_count ${chunks.length}`],
          chunks: chunks.map(({ lines, headings, text, date, scope }) => ({
            place: `${lines.start}-${lines.end} ${date ?? ""} ${scope}`,
            headings: headings.join(" / "),
            text: sha256(text),
            tokens: "",
            vectors: null,
          })),
        };
      }
    }
  }
  return { documents, strays: () => [] };
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
