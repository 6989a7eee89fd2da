import type { SourceName } from "../../text/document.ts";
import { lastOfEach, planReplacement } from "../plan-replacement.ts";
import type { IndexedDocument } from "../store.ts";
import { advanceAgent } from "./agent-row.ts";
import { insertChunks, moveChunks, type NewChunk, removeChunks } from "./chunk-rows.ts";
import { findReplaced, nameOf, saveFiles } from "./file-rows.ts";
import { countFresh } from "./fresh-words.ts";
import { changeCounts, readCounts } from "./source-counts.ts";
import { countTokens, type TokenCounts } from "./tokens.ts";
import { inheritVectors, readVectorSets } from "./vectors-follow.ts";
import { changeWords, removeWords } from "./words-write.ts";
import type { WritingParts } from "./writing-parts.ts";

/**
 * Replaces documents, all in the transaction of the caller and each table in one statement or two. Gives by how many
 * chunks the index has grown.
 */
export async function putDocuments(
  parts: WritingParts,
  documents: readonly IndexedDocument[],
  chunkerId: string,
): Promise<number> {
  const { sql, agent, tokens, at } = parts;
  const [replaced, sets, freshCount, counts] = await Promise.all([
    findReplaced(parts, lastOfEach(documents)),
    readVectorSets(sql, agent.id),
    countFresh(sql, agent.id),
    readCounts(sql, agent.id),
  ]);
  const files = await saveFiles(parts, replaced, chunkerId);
  const plans = replaced.map((each) => ({
    ...each,
    ...planReplacement(each.chunks, each.old, each.keptCount),
  }));
  let nextKey = agent.nextKey;
  const added = plans.flatMap(({ document, added }) =>
    added.map((addition): NewChunk => {
      const text = addition.chunk.text.toWellFormed();
      const { headings } = addition.chunk;
      return {
        ...addition,
        document,
        file: files.get(nameOf(document))!,
        key: nextKey++,
        text,
        tokens: countTokens(tokens({ text, headings, path: document.path })),
      };
    }),
  );
  const moved = plans.flatMap(({ document, moved }) => moved.map((each) => ({ ...each, document })));
  const goneKeys = plans.flatMap((plan) => plan.gone.map(({ key }) => key));
  const countChanges = plans.map(({ document: { source }, isNew, added, gone }) => {
    return { source, files: isNew ? 1 : 0, chunks: added.length - gone.length };
  });
  const finish = async (): Promise<number> => {
    const gone = await removeChunks(parts, sets, goneKeys);
    const growth = added.length - gone.chunks.length;
    const change = {
      keys: added.length,
      gone: gone.vectors,
      chunks: growth,
      tokens: countAll(added) - countAll(gone.chunks),
      content: true,
    };
    await Promise.all([
      changeWords(sql, agent.id, { added, gone: gone.chunks }, freshCount),
      changeCounts(sql, agent.id, counts, countChanges),
      advanceAgent(sql, agent.id, change),
    ]);
    return growth;
  };
  // In this order: a text that only moves takes its vectors along before the old ones go.
  const [, , , growth] = await Promise.all([
    moveChunks(parts, moved),
    insertChunks(sql, agent.id, added, at),
    inheritVectors(sql, agent, sets, added.length),
    finish(),
  ]);
  return growth;
}

export async function touchDocuments(
  { sql, agent }: WritingParts,
  source: SourceName,
  versions: ReadonlyMap<string, string>,
): Promise<void> {
  if (versions.size === 0) return;
  await sql(
    `UPDATE longhand.files f SET version = v.version FROM unnest($3::text[], $4::text[]) AS v (path, version)
     WHERE f.agent_id = $1 AND f.source = $2 AND f.path = v.path`,
    [agent.id, source, [...versions.keys()], [...versions.values()]],
  );
  await advanceAgent(sql, agent.id, { content: true });
}

export async function removeDocuments(
  parts: WritingParts,
  source: SourceName,
  paths: readonly string[],
): Promise<void> {
  const { sql, agent } = parts;
  const files = await sql<{ id: string; path: string }>(
    "DELETE FROM longhand.files WHERE agent_id = $1 AND source = $2 AND path = ANY($3::text[]) RETURNING id, path",
    [agent.id, source, paths],
  );
  if (files.length === 0) return;
  const [rows, sets, counts] = await Promise.all([
    sql<{ key: number }>(
      "SELECT key::float8 AS key FROM longhand.chunks WHERE agent_id = $1 AND file_id = ANY($2::int8[])",
      [agent.id, files.map(({ id }) => id)],
    ),
    readVectorSets(sql, agent.id),
    readCounts(sql, agent.id),
  ]);
  const gone = await removeChunks(
    parts,
    sets,
    rows.map(({ key }) => key),
    new Map(files.map(({ id, path }) => [id, path])),
  );
  const change = {
    gone: gone.vectors,
    chunks: -gone.chunks.length,
    tokens: -countAll(gone.chunks),
    content: true,
  };
  const lost = [{ source, files: -files.length, chunks: -gone.chunks.length }];
  await Promise.all([
    removeWords(sql, agent.id, gone.chunks),
    changeCounts(sql, agent.id, counts, lost),
    advanceAgent(sql, agent.id, change),
  ]);
}

function countAll(chunks: readonly { readonly tokens: TokenCounts }[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens.total, 0);
}
