import type { RepairOptions } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { beginWrite } from "./document-state.ts";
import type { ChunkRow } from "./schema.ts";
import type { Session } from "./session.ts";
import { inParts, isOneOf } from "./sql.ts";
import { indexWords, wordColumns } from "./words.ts";

const rowsAtOnce = 2000;

/**
 * Within a write: reads all of the table and mends what the rest of it allows to mend. Documents that are not complete
 * are removed; the next sync adds them. What cannot be read at all is an error, upon which the table is set aside.
 */
export async function mendTables(
  session: Session,
  tokens: Tokens,
  { words }: RepairOptions,
): Promise<string[]> {
  const { chunks } = session;
  const done: string[] = [];
  const counts = new Map<string, { expected: number | null; found: number }>();
  for await (const batch of chunks.query()) {
    for (const row of batch) {
      const { doc, id, chunk_count } = row!.toJSON() as unknown as ChunkRow;
      const count = counts.get(doc) ?? { expected: null, found: 0 };
      if (id === null) count.expected = chunk_count;
      else count.found++;
      counts.set(doc, count);
    }
  }
  const incomplete = [...counts].filter(([, { expected, found }]) => expected !== found).map(([doc]) => doc);
  if (incomplete.length > 0) {
    await (await beginWrite(session, { asOf: undefined, isExclusive: true })).noteRemoval();
    for (const part of inParts(incomplete)) await chunks.delete(isOneOf("doc", part));
    done.push(`removed ${incomplete.length} incomplete documents, to index them again`);
  }
  if (words === "rebuild") {
    await rebuildWords(session, tokens);
    done.push("built the full-text index again");
  }
  return done;
}

/** Within a write: the words of all chunks by the analyser of today. Readers see chunks with old or new words meanwhile. */
export async function rebuildWords({ lance, chunks }: Session, tokens: Tokens): Promise<void> {
  const keys = await chunks.query().where("id IS NOT NULL").select(["key"]).toArray();
  for (const part of inParts(keys, rowsAtOnce)) {
    const condition = isOneOf(
      "key",
      part.map(({ key }) => key),
    );
    const rows = (await chunks.query().where(condition).toArray()).map((row): ChunkRow => {
      const old: ChunkRow = row.toJSON();
      const words = tokens({
        text: old.text ?? "",
        headings: JSON.parse(old.headings ?? "[]"),
        path: old.path,
      });
      return { ...old, ...wordColumns(words) };
    });
    await chunks
      .mergeInsert("key")
      .whenMatchedUpdateAll()
      .execute(rows as unknown as Record<string, unknown>[]);
  }
  await indexWords(lance, chunks);
}
