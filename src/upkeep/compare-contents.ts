import type { ChunkContents, DocumentContents, IndexContents } from "../stores/index-contents.ts";
import type { SourceName } from "../text/document.ts";

export type DifferenceKind = "document" | "chunks" | "words" | "vectors" | "stray" | "damaged";

/** One difference between an index and a fresh build. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly source?: SourceName;
  readonly path?: string;
  readonly detail: string;
}

interface CompareOptions {
  /** False if vectors cannot be recomputed for the comparison. */
  readonly vectors: boolean;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  readonly documents: number;
  readonly chunks: number;
}

/** Compares an index with one that is known to be correct. */
export async function compareContents(
  index: IndexContents,
  right: IndexContents,
  options: CompareOptions,
): Promise<Comparison> {
  const differences: Difference[] = [];
  const counts = { documents: 0, chunks: 0 };
  for await (const [ours, theirs] of pairUp(index.documents(), right.documents())) {
    const { source, path } = (ours ?? theirs)!;
    if (ours && theirs) {
      counts.documents++;
      counts.chunks += ours.chunks.length;
      differences.push(...compareDocuments(ours, theirs, options));
    } else {
      const detail = ours ? "is in the index, but not among the notes" : "is missing in the index";
      differences.push({ kind: "document", source, path, detail });
    }
  }
  // A document that is missing altogether would be reported twice.
  if (!differences.some((each) => isOf(each, "document", "chunks"))) {
    differences.push(...compareWords(await index.words?.(), await right.words?.()));
  }
  for (const detail of index.strays()) differences.push({ kind: "stray", detail });
  return { differences, ...counts };
}

export function isOf({ kind }: Difference, ...kinds: readonly DifferenceKind[]): boolean {
  return kinds.includes(kind);
}

function compareDocuments(
  ours: DocumentContents,
  theirs: DocumentContents,
  { vectors }: CompareOptions,
): Difference[] {
  const { source, path } = ours;
  const found: Difference[] = [];
  const facts = ours.facts.flatMap((fact, index) =>
    fact === theirs.facts[index] ? [] : [`${fact} instead of ${theirs.facts[index]}`],
  );
  if (facts.length > 0) found.push({ kind: "document", source, path, detail: facts.join(", ") });

  const differing = (field: keyof ChunkContents): number =>
    ours.chunks.filter((chunk, index) => chunk[field] !== theirs.chunks[index]?.[field]).length;
  const report = (kind: DifferenceKind, fields: readonly (keyof ChunkContents)[]): void => {
    const parts = fields.map((field) => [field, differing(field)] as const).filter(([, count]) => count > 0);
    const detail = parts.map(([field, count]) => `${field} of ${count} of ${ours.chunks.length} chunks`);
    if (parts.length > 0) found.push({ kind, source, path, detail: `${detail.join(", ")} differ` });
  };
  if (ours.chunks.length !== theirs.chunks.length) {
    const detail = `${ours.chunks.length} chunks instead of ${theirs.chunks.length}`;
    found.push({ kind: "chunks", source, path, detail });
    return found;
  }
  report("chunks", ["place", "headings", "text"]);
  report("words", ["tokens"]);
  if (vectors) report("vectors", ["vectors"]);
  return found;
}

type WordCounts = ReadonlyMap<string, number> | undefined;

function compareWords(ours: WordCounts, theirs: WordCounts): Difference[] {
  if (!ours || !theirs) return [];
  const all = new Set([...ours.keys(), ...theirs.keys()]);
  const wrong = [...all].filter((word) => (ours.get(word) ?? 0) !== (theirs.get(word) ?? 0));
  const [first] = wrong;
  if (first === undefined) return [];
  const counts = `in ${ours.get(first) ?? 0} chunks instead of ${theirs.get(first) ?? 0}`;
  return [
    { kind: "words", detail: `${wrong.length} of ${all.size} words differ, such as ${first}: ${counts}` },
  ];
}

type Pair = [ours: DocumentContents | undefined, theirs: DocumentContents | undefined];

/** Walks two sorted lists in parallel. */
async function* pairUp(
  left: AsyncIterable<DocumentContents>,
  right: AsyncIterable<DocumentContents>,
): AsyncGenerator<Pair> {
  const [ours, theirs] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [a, b] = [await ours.next(), await theirs.next()];
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareKeys(a.value, b.value);
    yield [order <= 0 ? a.value : undefined, order >= 0 ? b.value : undefined];
    if (order <= 0) a = await ours.next();
    if (order >= 0) b = await theirs.next();
  }
}

/** Like SQLite's order of texts: by bytes, not by UTF-16 code units. */
function compareKeys(a: DocumentContents, b: DocumentContents): number {
  return (
    Buffer.compare(Buffer.from(a.source), Buffer.from(b.source)) ||
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
  );
}
