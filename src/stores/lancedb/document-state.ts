import type { DocumentState } from "../store.ts";
import { readMeta, writeMeta } from "./meta.ts";
import type { Session } from "./session.ts";

/** The version of the table `chunks` at which documents were last removed. */
const removedKey = "documents_removed";

/** A version of the table counts only together with the table that it is one of. */
export async function readDocumentState({ chunks, identity }: Session): Promise<DocumentState> {
  return `${identity}@${await chunks.version()}`;
}

/** One write to documents: decides what it may replace, and numbers what it wrote. */
export interface DocumentWrite {
  /** For the rows that it writes: the version that its commit gives the table. */
  readonly revision: number;
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
  const version = await chunks.version();
  const revision = version + 1;
  const seen = asOf === undefined ? Number.POSITIVE_INFINITY : parseState(asOf, identity);
  const removed = asOf === undefined ? 0 : Number((await readMeta(meta, removedKey)) ?? 0);
  return {
    revision,
    isAsSeen: (row) => (row === undefined ? removed : (row.revision ?? 0)) <= seen,
    isAlone: (committedVersion) => asOf === undefined || isExclusive || committedVersion === revision,
    noteRemoval: () => writeMeta(meta, { [removedKey]: `${revision}` }),
  };
}

/** Of another table nothing was seen. */
function parseState(asOf: DocumentState, identity: string): number {
  const at = asOf.lastIndexOf("@");
  return asOf.slice(0, at) === identity ? Number(asOf.slice(at + 1)) : Number.NEGATIVE_INFINITY;
}
