import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../errors.ts";
import { packageFile } from "../../package-files.ts";
import { refuseFaultyQuery } from "../vectors/vector-codes.ts";
import { chunkOfRow, shownHash, vectorsAfter } from "./stored-chunk.ts";
import type { EmbedderRow } from "./vector-sets.ts";
import type { ScoredChunks } from "./vectors-read.ts";

/** The extension sqlite-vec, if the settings name one and it works here. Checked on first use. */
export interface VectorExtension {
  readonly path: string;
  /** Why it is not used, in one line; null if it is. */
  problem(): Promise<string | null>;
  /** Stops using it. */
  giveUp(error: unknown): void;
}

const packageName = "sqlite-vec";
const notInstalled =
  "the npm package sqlite-vec is not installed beside longhand: install it with `npm install` in the same place";

/**
 * The library inside the npm package, or the package's name if it is not installed. Only longhand's own installation is
 * searched: a package in a workspace must not run.
 */
function libraryOfPackage(): string {
  const { platform, arch } = process;
  const system = platform === "win32" ? "windows" : platform;
  const ending = platform === "win32" ? "dll" : platform === "darwin" ? "dylib" : "so";
  try {
    const require = createRequire(packageFile("package.json"));
    return require.resolve(`${packageName}-${system}-${arch}/vec0.${ending}`);
  } catch {
    return packageName;
  }
}

const loadLimitMs = 30_000;
const rowsAtOnce = 250;

/**
 * SQLite loads a library synchronously and cannot be stopped, and a broken one kills the process. So it is tried first
 * in a child process, which gets nothing of our environment.
 */
const trial = `const { DatabaseSync } = require("node:sqlite");
const db = new DatabaseSync(":memory:", { allowExtension: true });
db.loadExtension(process.argv[1]);
const one = Buffer.from(Float32Array.of(1, 2).buffer);
const { distance } = db.prepare("SELECT vec_distance_cosine(?, ?) AS distance").get(one, one);
process.exit(Math.abs(distance) < 1e-6 ? 0 : 1);`;

export function createVectorExtension(nameOrPath: string, timeoutMs = loadLimitMs): VectorExtension {
  const path = nameOrPath === packageName ? libraryOfPackage() : resolve(nameOrPath);
  let answer: Promise<string | null> | null = null;
  return {
    path,
    problem: () => {
      answer ??= path === packageName ? Promise.resolve(notInstalled) : tryToLoad(path, timeoutMs);
      return answer;
    },
    giveUp: (error) => {
      answer = Promise.resolve(explain(path, firstLine(error)));
    },
  };
}

/** It loaded in the trial, but not here. */
export class UnusableExtension extends Error {}

/** On a connection that allows it; afterwards nothing more can be loaded there. */
export function loadExtension(db: DatabaseSync, path: string): void {
  try {
    db.loadExtension(path);
  } catch (error) {
    throw new UnusableExtension(firstLine(error), { cause: error });
  } finally {
    db.enableLoadExtension(false);
  }
}

/** All cosines of a set by the extension, in groups of rows. */
export function* scanByExtension(
  db: DatabaseSync,
  set: EmbedderRow,
  query: Float32Array,
): Generator<undefined, ScoredChunks> {
  refuseFaultyQuery(query, set.dims);
  const statement = db.prepare(
    `SELECT c.key, 1 - vec_distance_cosine(e.embedding, ?1) FROM vector_rows v
     CROSS JOIN chunk_rows c ON c.key = ${chunkOfRow}
     CROSS JOIN embedding_cache e
       ON e.provider = ?2 AND e.model = ?3 AND e.provider_key = ?4 AND e.hash = ${shownHash("c.hash")}
     WHERE ${vectorsAfter("?5", "?6")} AND length(e.embedding) = ?7 ORDER BY v.place LIMIT ${rowsAtOnce}`,
  );
  statement.setReturnArrays(true);
  const asked = new Uint8Array(query.slice().buffer);
  const keys: number[] = [];
  const similarities: number[] = [];
  const { provider, model, provider_key, id, dims } = set;
  for (let last = 0; ; ) {
    const rows = statement.all(asked, provider, model, provider_key, id, last, 4 * dims);
    for (const [key, similarity] of rows as unknown as [number, number][]) {
      keys.push(key);
      similarities.push(similarity);
    }
    if (rows.length < rowsAtOnce) break;
    last = keys.at(-1)!;
    yield;
  }
  const places = new Map(keys.map((key, place) => [key, place]));
  return {
    keys,
    similarities: Float32Array.from(similarities),
    indexOf: (key) => places.get(key) ?? -1,
  };
}

async function tryToLoad(path: string, timeoutMs: number): Promise<string | null> {
  try {
    const [{ execFile }, { promisify }] = await Promise.all([
      import("node:child_process"),
      import("node:util"),
    ]);
    await promisify(execFile)(process.execPath, ["-e", trial, path], {
      env: {},
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    return null;
  } catch (error) {
    const { killed, signal, stderr } = error as { killed?: boolean; signal?: string; stderr?: string };
    if (killed) return explain(path, `it did not load within ${timeoutMs / 1000} s`);
    if (signal) return explain(path, `it ends the process that loads it (${signal})`);
    const message = /^(?:\w*Error): (.*)$/m.exec(stderr ?? "")?.[1];
    return explain(path, message ?? firstLine(error));
  }
}

function explain(path: string, why: string): string {
  return `sqlite-vec could not be loaded from ${path}: ${why}`;
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n", 1)[0]!;
}
