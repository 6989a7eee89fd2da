import type { DocumentState } from "../store.ts";
import { readMeta, writeMeta } from "./meta.ts";
import type { Session } from "./session.ts";

/** How often documents were removed. */
const removalsKey = "documents_removals";

/** The version of the table counts only together with the table that it is one of. */
export async function readDocumentState({ chunks, meta, identity }: Session): Promise<DocumentState> {
  const removals = await readRemovals(meta);
  return JSON.stringify([identity, await chunks.version(), removals]);
}

/** One write to documents: decides what it may replace, and numbers what it wrote. */
export interface DocumentWrite {
  /** For the rows that it writes: the version that its commit gives the table. */
  readonly revision: number;
  /** Whether it may replace only what its writer saw. */
  readonly isConditional: boolean;
  /** Whether a row is as the writer saw it; undefined stands for a document that is not there. */
  isAsSeen(row: { readonly revision: number | null } | undefined): boolean;
  /** False when somebody else committed meanwhile, so that nobody knows what was replaced. */
  isAlone(committedVersion: number): boolean;
  /** Before documents go: who saw them absent earlier saw something else. */
  noteRemoval(): Promise<void>;
}

export interface BeginOptions {
  readonly asOf: DocumentState | undefined;
  /** Whether nobody else can write meanwhile. */
  readonly isExclusive: boolean;
}

export async function beginWrite(
  { chunks, meta, identity }: Session,
  { asOf, isExclusive }: BeginOptions,
): Promise<DocumentWrite> {
  const revision = (await chunks.version()) + 1;
  const seen = asOf === undefined ? null : parseState(asOf, identity);
  const removals = await readRemovals(meta);
  return {
    revision,
    isConditional: seen !== null,
    isAsSeen: (row) =>
      seen === null || (row === undefined ? removals === seen.removals : (row.revision ?? 0) <= seen.version),
    isAlone: (committedVersion) => seen === null || isExclusive || committedVersion === revision,
    noteRemoval: () => writeMeta(meta, { [removalsKey]: `${removals + 1}` }),
  };
}

async function readRemovals(meta: Session["meta"]): Promise<number> {
  return Number((await readMeta(meta, removalsKey)) ?? 0);
}

/** Of another table nothing was seen. */
function parseState(asOf: DocumentState, identity: string): { version: number; removals: number } {
  const [table, version, removals] = JSON.parse(asOf) as [string, number, number];
  return table === identity ? { version, removals } : { version: -1, removals: -1 };
}
