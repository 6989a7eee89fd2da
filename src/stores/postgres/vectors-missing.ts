import type { MissingText, NarrowTexts } from "../store.ts";
import type { Sql } from "./database.ts";
import { missingChunks } from "./vector-sets.ts";

/** A set that is not there yet has the numbers 0. */
type Place = readonly [agentId: number, setId: number, doneKey: number];

/** Texts of chunks that have no vectors in a set, in the order of the chunks. */
export async function readMissing(
  sql: Sql,
  [agentId, setId, doneKey]: Place,
  limit: number,
  except: ReadonlySet<string> | undefined,
): Promise<MissingText[]> {
  const texts = new Map<string, MissingText>();
  const known = [...(except ?? [])];
  let after = doneKey;
  while (texts.size < limit) {
    const rows = await sql<MissingText & { key: number }>(
      `SELECT c.key::float8 AS key, c.hash, c.text ${missingChunks} AND c.hash <> ALL($4::text[]) ORDER BY c.key LIMIT $5`,
      [agentId, setId, after, known, limit],
    );
    for (const { hash, text } of rows) {
      if (texts.size < limit && !texts.has(hash)) texts.set(hash, { hash, text });
    }
    if (rows.length < limit) break;
    after = rows.at(-1)!.key;
  }
  return [...texts.values()];
}

/** The same of some texts alone, in their order. */
export async function readMissingOf(
  sql: Sql,
  [agentId, setId]: Place,
  limit: number,
  { only, except }: NarrowTexts & { readonly only: readonly string[] },
): Promise<MissingText[]> {
  const wanted = [...new Set(only)].filter((hash) => !except?.has(hash));
  const rows = await sql<MissingText>(
    `SELECT DISTINCT ON (c.hash) c.hash, c.text FROM unnest($3::text[]) AS w (hash)
     JOIN longhand.chunks c ON c.agent_id = $1 AND c.hash = w.hash
     WHERE NOT EXISTS (SELECT 1 FROM longhand.chunks_vec v WHERE v.agent_id = $1 AND v.embedder_id = $2 AND v.key = c.key)`,
    [agentId, setId, wanted],
  );
  const byHash = new Map(rows.map(({ hash, text }) => [hash, { hash, text }]));
  return wanted.flatMap((hash) => byHash.get(hash) ?? []).slice(0, limit);
}
