import type { SourceName } from "../../text/document.ts";
import { type ChunkRow, readChunkRow } from "../chunk-row.ts";
import type {
  DocumentState,
  DocumentSummary,
  IndexedVersion,
  StoredChunk,
  StoreStatistics,
} from "../store.ts";
import { readAgent } from "./agent-row.ts";
import type { Database, Sql } from "./database.ts";
import { countSources, readCounts } from "./meta.ts";

const chunkColumns = `c.key::float8 AS key, f.path, f.source, c.start_line, c.end_line, c.headings, c.text, f.date, f.scope
  FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id`;

export function createReading({ db, agentId }: { db: Database; agentId: number }) {
  /** Every search asks for versions: they are read again only after a document has changed. */
  const kept = { contentRevision: Number.NaN, versions: new Map<SourceName, Map<string, IndexedVersion>>() };

  return {
    documentState: (): Promise<DocumentState> =>
      db.read(async (sql) => `${(await readAgent(sql, agentId)).contentRevision}`),
    versions: (source: SourceName, paths?: readonly string[]): Promise<Map<string, IndexedVersion>> =>
      db.read(async (sql) => {
        if (paths !== undefined) return await readVersions(sql, agentId, source, paths);
        const { contentRevision } = await readAgent(sql, agentId);
        if (contentRevision !== kept.contentRevision) {
          kept.versions.clear();
          kept.contentRevision = contentRevision;
        }
        const known = kept.versions.get(source) ?? (await readVersions(sql, agentId, source));
        if (kept.contentRevision === contentRevision) kept.versions.set(source, known);
        return new Map(known);
      }),
    /** In the order of the ids; missing ones are left out. */
    chunks: async (ids: readonly number[]): Promise<StoredChunk[]> => {
      const wanted = ids.filter(Number.isSafeInteger);
      if (wanted.length === 0) return [];
      const rows = await db.read((sql) =>
        sql<ChunkRow>(`SELECT ${chunkColumns} WHERE c.agent_id = $1 AND c.key = ANY($2::int8[])`, [
          agentId,
          wanted,
        ]),
      );
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return wanted.flatMap((id) => byKey.get(id) ?? []).map(toChunk);
    },
    chunksOf: async (source: SourceName, path: string, fromLine = 0): Promise<StoredChunk[]> => {
      const rows = await db.read((sql) =>
        sql<ChunkRow>(
          `SELECT ${chunkColumns} WHERE f.agent_id = $1 AND f.source = $2 AND f.path = $3 AND c.start_line >= $4
           ORDER BY c.position`,
          [agentId, source, path, fromLine],
        ),
      );
      return rows.map(toChunk);
    },
    documents: async (): Promise<DocumentSummary[]> => {
      const rows = await db.read((sql) =>
        sql<Omit<DocumentSummary, "date"> & { date: string | null }>(
          `SELECT source, path, date, chunk_count AS chunks FROM longhand.files
           WHERE agent_id = $1 ORDER BY source, path`,
          [agentId],
        ),
      );
      return rows.map(({ date, ...rest }) => ({ ...rest, ...(date === null ? {} : { date }) }));
    },
    counts: (): Promise<StoreStatistics["sources"]> =>
      db.read(async (sql) => (await readCounts(sql, agentId)) ?? (await countSources(sql, agentId))),
  };
}

async function readVersions(
  sql: Sql,
  agentId: number,
  source: SourceName,
  paths?: readonly string[],
): Promise<Map<string, IndexedVersion>> {
  const narrowed = paths === undefined ? "" : " AND path = ANY($3::text[])";
  const rows = await sql<IndexedVersion & { path: string }>(
    `SELECT path, version, hash, chunker FROM longhand.files WHERE agent_id = $1 AND source = $2${narrowed}`,
    [agentId, source, ...(paths === undefined ? [] : [paths])],
  );
  return new Map(rows.map(({ path, version, hash, chunker }) => [path, { version, hash, chunker }]));
}

function toChunk(row: ChunkRow): StoredChunk {
  return readChunkRow(row, JSON.parse(row.headings) as string[]);
}
