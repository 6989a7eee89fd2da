import type { SourceName } from "../../text/document.ts";
import type { OldChunk } from "../plan-replacement.ts";
import type { DocumentState, IndexedDocument } from "../store.ts";
import { isAsSeen, nextRevision } from "./agent-row.ts";
import { toWhole, type WritingParts } from "./writing-parts.ts";

interface FileRow {
  readonly id: string;
  readonly source: SourceName;
  readonly path: string;
  readonly version: string;
  readonly chunk_count: number;
  readonly revision: number;
}

interface OldRow extends OldChunk {
  readonly file_id: string;
}

/** A document with the chunks that it replaces; those before are left alone. */
export interface Replaced extends IndexedDocument {
  readonly old: readonly OldRow[];
  readonly keptCount: number;
  readonly isNew: boolean;
}

export const nameOf = ({ source, path }: { source: string; path: string }): string =>
  JSON.stringify([source, path]);

/** What each document replaces. One whose place was taken by something else since `asOf` is left out. */
export async function findReplaced(
  { sql, agent }: WritingParts,
  documents: readonly IndexedDocument[],
  asOf: DocumentState | undefined,
): Promise<Replaced[]> {
  const files = await sql<FileRow>(
    `SELECT f.id, f.source, f.path, f.version, f.chunk_count, f.revision::float8 AS revision
     FROM unnest($2::text[], $3::text[]) AS d (source, path)
     JOIN longhand.files f ON f.agent_id = $1 AND f.source = d.source AND f.path = d.path`,
    [
      agent.id,
      documents.map(({ document }) => document.source),
      documents.map(({ document }) => document.path),
    ],
  );
  const known = new Map(files.map((file) => [nameOf(file), file]));
  const wanted = documents.flatMap((each) => {
    const file = known.get(nameOf(each.document));
    const follows = each.document.part?.follows;
    const isSeen = follows ? file?.version === follows.version : isAsSeen(agent, file, asOf);
    if (!isSeen) return [];
    return [{ ...each, file, openLine: follows?.openLine ?? 0 }];
  });
  const open = wanted.filter(({ file }) => file !== undefined);
  const old =
    open.length === 0
      ? []
      : await sql<OldRow>(
          `SELECT c.file_id, c.key::float8 AS key, c.position, c.start_line, c.end_line, c.hash, c.headings
     FROM unnest($2::int8[], $3::int4[]) AS d (file_id, open_line)
     JOIN longhand.chunks c ON c.file_id = d.file_id AND c.start_line >= d.open_line
     WHERE c.agent_id = $1 ORDER BY c.file_id, c.position`,
          [agent.id, open.map(({ file }) => file!.id), open.map(({ openLine }) => openLine)],
        );
  const byFile = Map.groupBy(old, ({ file_id }) => file_id);
  return wanted.map(({ document, chunks, file, openLine }) => {
    const rows = (file && byFile.get(file.id)) ?? [];
    const keptCount = openLine === 0 ? 0 : file!.chunk_count - rows.length;
    return { document, chunks, old: rows, keptCount, isNew: file === undefined };
  });
}

/** Gives the number of each document by its name. */
export async function saveFiles(
  { sql, agent }: WritingParts,
  replaced: readonly Replaced[],
  chunkerId: string,
): Promise<Map<string, string>> {
  if (replaced.length === 0) return new Map();
  const rows = await sql<{ id: string; source: string; path: string }>(
    `INSERT INTO longhand.files
       (agent_id, chunker, revision, source, path, hash, mtime, size, version, date, scope, chunk_count)
     SELECT $1, $2, $12::int8, * FROM unnest($3::text[], $4::text[], $5::text[], $6::int8[], $7::int8[], $8::text[], $9::text[],
       $10::text[], $11::int4[])
     ON CONFLICT (agent_id, source, path) DO UPDATE SET chunker = excluded.chunker, revision = excluded.revision, hash = excluded.hash,
       mtime = excluded.mtime, size = excluded.size, version = excluded.version, date = excluded.date,
       scope = excluded.scope, chunk_count = excluded.chunk_count
     RETURNING id, source, path`,
    [
      agent.id,
      chunkerId,
      replaced.map(({ document }) => document.source),
      replaced.map(({ document }) => document.path),
      replaced.map(({ document }) => document.hash),
      replaced.map(({ document }) => toWhole(document.modifiedAt.getTime())),
      replaced.map(({ document }) => toWhole(document.sizeBytes)),
      replaced.map(({ document }) => document.version),
      replaced.map(({ document }) => document.date ?? null),
      replaced.map(({ document }) => document.scope),
      replaced.map(({ chunks, keptCount }) => keptCount + chunks.length),
      nextRevision(agent),
    ],
  );
  return new Map(rows.map((row) => [nameOf(row), row.id]));
}
