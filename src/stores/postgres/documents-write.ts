import type { SourceName } from "../../text/document.ts";
import { lastOfEach, planReplacement } from "../plan-replacement.ts";
import type { DocumentName, DocumentState, IndexedDocument } from "../store.ts";
import { advanceAgent, nextRevision, type WritingParts } from "./agent-row.ts";
import { withDeleted } from "./delete-rows.ts";
import {
  findReplaced,
  insertChunks,
  moveChunks,
  type NewChunk,
  nameOf,
  removeChunks,
  saveFiles,
} from "./document-rows.ts";
import { changeCounts, readCounts } from "./meta.ts";
import { countTokens, type TokenCounts } from "./postings.ts";
import { inheritVectors, readVectorSets } from "./vectors-write.ts";
import { changeWords, countFresh, removeWords } from "./words-write.ts";

export interface PutOutcome {
  /** By how many chunks the index has grown. */
  readonly growth: number;
  readonly refused: readonly DocumentName[];
}

/** Replaces documents in the caller's transaction, with one or two statements per table. */
export async function putDocuments(
  parts: WritingParts,
  documents: readonly IndexedDocument[],
  { chunkerId, asOf }: { readonly chunkerId: string; readonly asOf: DocumentState | undefined },
): Promise<PutOutcome> {
  const { sql, agent, tokens, at } = parts;
  const [replaced, sets, freshCount, counts] = await Promise.all([
    findReplaced(parts, lastOfEach(documents), asOf),
    readVectorSets(sql, agent.id),
    countFresh(sql, agent.id),
    readCounts(sql, agent.id),
  ]);
  const taken = new Set(replaced.map(({ document }) => nameOf(document)));
  const refused = lastOfEach(documents)
    .map(({ document: { source, path } }) => ({ source, path }))
    .filter((name) => !taken.has(nameOf(name)));
  if (replaced.length === 0) return { growth: 0, refused };
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
  // In this order: a text that only moves takes its vectors along before the old ones are deleted.
  const [, , , growth] = await Promise.all([
    moveChunks(parts, moved),
    insertChunks(sql, agent.id, added, at),
    inheritVectors(sql, agent, sets, added.length),
    finish(),
  ]);
  return { growth, refused };
}

export async function touchDocuments(
  { sql, agent }: WritingParts,
  source: SourceName,
  versions: ReadonlyMap<string, string>,
  asOf: DocumentState | undefined,
): Promise<string[]> {
  if (versions.size === 0) return [];
  const rows = await sql<{ path: string }>(
    `UPDATE longhand.files f SET version = v.version, revision = $5
     FROM unnest($3::text[], $4::text[]) AS v (path, version)
     WHERE f.agent_id = $1 AND f.source = $2 AND f.path = v.path AND ($6::int8 IS NULL OR f.revision <= $6)
     RETURNING f.path`,
    [agent.id, source, [...versions.keys()], [...versions.values()], nextRevision(agent), asOf ?? null],
  );
  if (rows.length > 0) await advanceAgent(sql, agent.id, { content: true });
  if (asOf === undefined) return [];
  const touched = new Set(rows.map(({ path }) => path));
  return [...versions.keys()].filter((path) => !touched.has(path));
}

export async function removeDocuments(
  parts: WritingParts,
  source: SourceName,
  paths: readonly string[],
  asOf?: DocumentState,
): Promise<string[]> {
  const { sql, agent } = parts;
  const seen =
    "agent_id = $1 AND source = $2 AND path = ANY($3::text[]) AND ($4::int8 IS NULL OR revision <= $4)";
  const files = await sql<{ id: string; path: string }>(
    `${withDeleted("files", "id, path", seen)} SELECT id, path FROM deleted CROSS JOIN gone`,
    [agent.id, source, paths, asOf ?? null],
  );
  const refused =
    asOf === undefined
      ? []
      : await sql<{ path: string }>(
          "SELECT path FROM longhand.files WHERE agent_id = $1 AND source = $2 AND path = ANY($3::text[])",
          [agent.id, source, paths],
        );
  if (files.length === 0) {
    if (asOf === undefined) await advanceAgent(sql, agent.id, { content: true, removed: true });
    return refused.map(({ path }) => path);
  }
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
    removed: true,
  };
  const lost = [{ source, files: -files.length, chunks: -gone.chunks.length }];
  await Promise.all([
    removeWords(sql, agent.id, gone.chunks),
    changeCounts(sql, agent.id, counts, lost),
    advanceAgent(sql, agent.id, change),
  ]);
  return refused.map(({ path }) => path);
}

function countAll(chunks: readonly { readonly tokens: TokenCounts }[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens.total, 0);
}
