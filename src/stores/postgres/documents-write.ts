import type { SourceName } from "../../text/document.ts";
import { lastOfEach, planReplacement } from "../plan-replacement.ts";
import type { IndexedDocument } from "../store.ts";
import { advanceAgent } from "./agent-row.ts";
import { insertChunks, moveChunks, type NewChunk, removeChunks } from "./chunk-rows.ts";
import { findReplaced, nameOf, saveFiles } from "./file-rows.ts";
import { countTokens, type TokenCounts } from "./tokens.ts";
import { inheritVectors } from "./vectors-follow.ts";
import { changeWords } from "./words-write.ts";
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
  const replaced = await findReplaced(parts, lastOfEach(documents));
  const files = await saveFiles(parts, replaced, chunkerId);
  const plans = replaced.map((each) => ({
    ...each,
    ...planReplacement(each.chunks, each.old, each.keptCount),
  }));
  await moveChunks(
    parts,
    plans.flatMap(({ document, moved }) => moved.map((each) => ({ ...each, document }))),
  );
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
  await insertChunks(sql, agent.id, added, at);
  // Before the old ones go: a text that only moves takes its vectors along.
  await inheritVectors(sql, agent, added.length);
  const gone = await removeChunks(
    parts,
    plans.flatMap((plan) => plan.gone.map(({ key }) => key)),
  );
  await changeWords(sql, agent.id, { added, gone: gone.chunks });
  const growth = added.length - gone.chunks.length;
  await advanceAgent(sql, agent.id, {
    keys: added.length,
    gone: gone.vectors,
    chunks: growth,
    tokens: countAll(added) - countAll(gone.chunks),
    content: true,
  });
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
  const rows = await sql<{ key: number }>(
    "SELECT key::float8 AS key FROM longhand.chunks WHERE agent_id = $1 AND file_id = ANY($2::int8[])",
    [agent.id, files.map(({ id }) => id)],
  );
  const gone = await removeChunks(
    parts,
    rows.map(({ key }) => key),
    new Map(files.map(({ id, path }) => [id, path])),
  );
  await changeWords(sql, agent.id, { added: [], gone: gone.chunks });
  await advanceAgent(sql, agent.id, {
    gone: gone.vectors,
    chunks: -gone.chunks.length,
    tokens: -countAll(gone.chunks),
    content: true,
  });
}

function countAll(chunks: readonly { readonly tokens: TokenCounts }[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens.total, 0);
}
