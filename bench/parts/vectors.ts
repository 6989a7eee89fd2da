import { statSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../bars.ts";
import { buildClassic, buildVec0, openReference, searchClassic, searchVec0 } from "../classic-index.ts";
import { createMadeUpNotes, type MadeUpNotes } from "../made-up-notes.ts";
import { inTemporaryFolder, median, medianInTurns, processorMs } from "../measure.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { runModule } from "../run-module.ts";
import { openStore, searchHybrid } from "../store-of-chunks.ts";
import { stubIdentity } from "../stub-embedder.ts";

/**
 * One large vector per text, as strong models give, against the usual design on sqlite-vec. In CPU time, so that other
 * work on the machine hardly matters. The limits are for 100,000 chunks.
 */
const dimensions = 768;
const limit = 24;

type Figures = Record<string, Figure>;

export async function measure({ vectorChunks, rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const notes = createMadeUpNotes(dimensions);
    const vectors = Array.from({ length: vectorChunks }, notes.vector);
    const path = join(folder, "ours.sqlite");
    await fill(path, notes, vectors);
    const detail = `${vectorChunks.toLocaleString("en")} × ${dimensions}`;
    return {
      figures: {
        ...(await measureVectorSearch(folder, path, notes, vectors, detail)),
        ...(await measureFirstSearch(folder, path, rounds, detail)),
        ...(await measureHybrid(folder, path, notes, vectors, detail)),
        ...(await measureSize(folder, notes, vectors.slice(0, Math.min(10_000, vectorChunks / 4)))),
      },
    };
  });
}

async function measureVectorSearch(
  folder: string,
  path: string,
  notes: MadeUpNotes,
  vectors: readonly Float32Array[],
  detail: string,
): Promise<Figures> {
  buildVec0(join(folder, "vec0.sqlite"), vectors, dimensions);
  const db = openReference(join(folder, "vec0.sqlite"));
  await using store = await openStore(path);
  const questions = Array.from({ length: 21 }, notes.vector);
  const search = (query: Float32Array) => store.byVector(stubIdentity.id, query, { limit });
  const { ours, vec0 } = await medianInTurns(questions.length - 1, {
    ours: (round) => processorMs(() => search(questions[round]!)),
    vec0: (round) => processorMs(() => searchVec0(db, questions[round]!)),
  });
  db.close();
  let found = 0;
  for (const query of questions) {
    const best = findBest(vectors, query);
    const { candidates } = await search(query);
    const chunks = await store.chunks(candidates.map(({ id }) => id));
    found += chunks.filter((chunk) => best.has(chunk.path)).length;
  }
  return {
    "vector-search": { ours, reference: vec0, detail },
    "vector-recall": { ours: found / (questions.length * Math.min(limit, vectors.length)), detail },
  };
}

async function measureFirstSearch(
  folder: string,
  path: string,
  rounds: number,
  detail: string,
): Promise<Figures> {
  const first = (which: "ours" | "vec0", at: string) =>
    runModule<number>("children/first-vector-search.ts", { which, path: at, dimensions, limit });
  const { ours, vec0 } = await medianInTurns(
    rounds,
    {
      ours: () => first("ours", path),
      vec0: () => first("vec0", join(folder, "vec0.sqlite")),
    },
    { warmUp: false },
  );
  return { "vector-first-search": { ours, reference: vec0, detail } };
}

async function measureHybrid(
  folder: string,
  path: string,
  notes: MadeUpNotes,
  vectors: readonly Float32Array[],
  detail: string,
): Promise<Figures> {
  const classicPath = join(folder, "classic.sqlite");
  buildClassic(classicPath, vectors, { dimensions, textOf: notes.textOf, cache: false });
  const db = openReference(classicPath);
  await using store = await openStore(path);
  let vector = notes.vector();
  const search = searchHybrid(store, dimensions, () => vector);
  const [ours, all, match]: [number[], number[], number[]] = [[], [], []];
  const rounds = 7;
  for (let round = 0; round <= rounds; round++) {
    vector = notes.vector();
    const words = notes.questionFor(Math.floor((round * vectors.length) / (rounds + 1)));
    const ourMs = await processorMs(() => search(words));
    const matchMs = await processorMs(() => searchClassic(db, { words, vector, vectors: "match" }));
    if (round === 0) continue;
    ours.push(ourMs);
    match.push(matchMs);
    // Up to half a minute each: three are enough if the limit is met tenfold.
    if (round <= 3) all.push(await processorMs(() => searchClassic(db, { words, vector })));
  }
  db.close();
  return {
    "hybrid-search": { ours: median(ours), reference: median(all), detail },
    "hybrid-search-newer": { ours: median(ours), reference: median(match), detail },
  };
}

async function measureSize(
  folder: string,
  notes: MadeUpNotes,
  vectors: readonly Float32Array[],
): Promise<Figures> {
  const [ours, classic] = [join(folder, "size-ours.sqlite"), join(folder, "size-classic.sqlite")];
  await fill(ours, notes, vectors);
  buildClassic(classic, vectors, { dimensions, textOf: notes.textOf });
  const detail = `${vectors.length.toLocaleString("en")} × ${dimensions}`;
  return {
    "database-size": { ours: statSync(ours).size, reference: statSync(classic).size, detail },
  };
}

async function fill(path: string, notes: MadeUpNotes, vectors: readonly Float32Array[]): Promise<void> {
  await using store = await openStore(path);
  for (let at = 0; at < vectors.length; at += 500) {
    const count = Math.min(500, vectors.length - at);
    const documents = Array.from({ length: count }, (_, index) => notes.document(at + index));
    await store.put(documents, "bench");
    const entries = documents.map(({ chunks }, index) => ({
      hash: chunks[0]!.hash,
      vectors: [vectors[at + index]!],
    }));
    await store.putVectors(stubIdentity, entries, { vectorsPerText: "one" });
  }
  await store.collectGarbage(stubIdentity);
}

/** The paths of the nearest, by exhaustive search. */
function findBest(vectors: readonly Float32Array[], query: Float32Array): Set<string> {
  const cosines = Float64Array.from(vectors, (vector) => {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += vector[i]! * query[i]!;
    return sum;
  });
  const numbers = [...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, limit);
  return new Set(numbers.map((number) => `memory/${number}.md`));
}
