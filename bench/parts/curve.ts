import { statSync } from "node:fs";
import { join } from "node:path";
import { buildClassic, openReference, searchClassic } from "../classic-index.ts";
import { createMadeUpNotes, toUnitLength } from "../made-up-notes.ts";
import { inTemporaryFolder, median, medianInTurns, timeMs } from "../measure.ts";
import type { CurvePoint, PartResult, Sizes } from "../parts.ts";
import { chunksPerNote, createScaleNotes } from "../scale-notes.ts";
import { openStore, searchByWords, searchHybrid } from "../store-of-chunks.ts";
import { stubIdentity } from "../stub-embedder.ts";

const dimensions = 256;
const notesPerPut = 100;
const questions = 25;
const classicQuestions = 3;
/** The number of independent vectors; the others are small variations, because generating a million takes minutes. */
const madeVectors = 5000;

const { note, question: ask } = createScaleNotes();

/** One growing index, with natural questions at every size; compared with the classic design where that is feasible. */
export async function measure({ curveChunks, classicCurveChunks }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const vectorOf = createVectors();
    const path = join(folder, "ours.sqlite");
    const curve: CurvePoint[] = [];
    let indexMs = 0;
    let written = 0;
    for (const chunks of curveChunks) {
      indexMs += await grow(path, written, chunks, vectorOf);
      written = chunks;
      const ours = { chunks, indexMs, ...(await measureSearch(path)), sizeBytes: statSync(path).size };
      const classic = chunks <= classicCurveChunks && {
        classic: await measureClassic(join(folder, `classic-${chunks}.sqlite`), chunks, vectorOf),
      };
      curve.push({ ...ours, ...classic });
    }
    return { curve, figures: growthOf(curve) };
  });
}

function growthOf(curve: readonly CurvePoint[]): PartResult["figures"] {
  const to = curve.at(-1)!;
  const from = curve.find(({ chunks }) => chunks === 10_000 && chunks < to.chunks) ?? curve[0]!;
  const growth = to.chunks / from.chunks;
  const detail = `${from.chunks.toLocaleString("en")} to ${to.chunks.toLocaleString("en")} chunks`;
  const before = curve.at(-2) ?? to;
  const sizeOf = ({ chunks }: CurvePoint) => `${chunks.toLocaleString("en")} chunks`;
  return {
    "large-words": { ours: before.wordsMs, detail: sizeOf(before) },
    "large-hybrid": { ours: before.hybridMs, detail: sizeOf(before) },
    "largest-words": { ours: to.wordsMs, detail: sizeOf(to) },
    "largest-hybrid": { ours: to.hybridMs, detail: sizeOf(to) },
    "growth-words": { ours: to.wordsMs, reference: from.wordsMs * growth, detail },
    "growth-hybrid": { ours: to.hybridMs, reference: from.hybridMs * growth, detail },
  };
}

async function grow(
  path: string,
  from: number,
  to: number,
  vectorOf: (chunk: number) => Float32Array,
): Promise<number> {
  await using store = await openStore(path);
  let ms = 0;
  for (let first = from / chunksPerNote; first < to / chunksPerNote; first += notesPerPut) {
    const count = Math.min(notesPerPut, to / chunksPerNote - first);
    const documents = Array.from({ length: count }, (_, at) => note(first + at));
    const entries = documents
      .flatMap(({ chunks }) => chunks)
      .map(({ hash }, at) => ({ hash, vectors: [vectorOf(first * chunksPerNote + at)] }));
    // Generated first, so that generating is not measured.
    ms += await timeMs(async () => {
      await store.put(documents, "bench");
      await store.putVectors(stubIdentity, entries, { vectorsPerText: "one" });
    });
  }
  return ms + (await timeMs(() => store.collectGarbage(stubIdentity)));
}

async function measureSearch(path: string): Promise<{ wordsMs: number; hybridMs: number }> {
  await using store = await openStore(path);
  const vectors = createMadeUpNotes(dimensions, 7);
  const [words, hybrid] = [searchByWords(store), searchHybrid(store, dimensions, vectors.vector)];
  const times = await medianInTurns(questions, {
    words: () => timeMs(() => words(ask())),
    hybrid: () => timeMs(() => hybrid(ask())),
  });
  return { wordsMs: times.words, hybridMs: times.hybrid };
}

async function measureClassic(
  path: string,
  chunks: number,
  vectorOf: (chunk: number) => Float32Array,
): Promise<NonNullable<CurvePoint["classic"]>> {
  // Generated first, so that generating is not measured.
  const texts = Array.from({ length: chunks / chunksPerNote }, (_, number) => note(number).chunks)
    .flat()
    .map(({ text }) => text);
  const vectors = Array.from({ length: chunks }, (_, chunk) => vectorOf(chunk));
  const textOf = (chunk: number): string => texts[chunk]!;
  const indexMs = await timeMs(() => buildClassic(path, vectors, { dimensions, textOf }));
  const db = openReference(path);
  const times: number[] = [];
  for (let round = 0; round < classicQuestions; round++) {
    times.push(await timeMs(() => searchClassic(db, { words: ask(), vector: vectorOf(round) })));
  }
  db.close();
  return { hybridMs: median(times), indexMs, sizeBytes: statSync(path).size };
}

function createVectors(): (chunk: number) => Float32Array {
  const made = createMadeUpNotes(dimensions);
  const vectors = Array.from({ length: madeVectors }, made.vector);
  return (chunk) => {
    const vector = vectors[chunk % madeVectors]!.slice();
    const round = Math.floor(chunk / madeVectors);
    // Rotated a little towards another one, so that no two are equal.
    const other = vectors[(chunk * 31 + round * 17) % madeVectors]!;
    for (let i = 0; i < dimensions; i++) vector[i]! += 0.4 * other[(i + round) % dimensions]!;
    return toUnitLength(vector);
  };
}
