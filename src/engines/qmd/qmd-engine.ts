import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import type { Source } from "../../sources/source.ts";
import { createSyncLoop } from "../../sync/loop.ts";
import type { PreferredEngine } from "../preferred-engine.ts";
import type { QmdPlace } from "./driver.ts";
import { findModel } from "./find-model.ts";
import { collections, createMirror, type MirroredDocument } from "./mirror.ts";
import { type DriverOptions, type OpenedDriver, openDriver } from "./open-driver.ts";
import { qmdFailure } from "./qmd-failure.ts";
import { createQmdSearcher, type QmdSearcherParts } from "./qmd-searcher.ts";

export interface QmdEngineOptions
  extends Omit<DriverOptions, "place">,
    Omit<QmdSearcherParts, "ask" | "find" | "read" | "model"> {
  /** Private to qmd and to this agent; made when it is missing. */
  readonly folder: string;
  readonly sources: readonly Source[];
  /** For one answer. */
  readonly timeoutMs: number;
  /** How long a search waits for changed notes to be indexed; null does not look for changes. */
  readonly searchWaitMs: number | null;
  /** 0 for none. */
  readonly updateIntervalMs: number;
  /** Keeps processes that share the folder from changing it at once. */
  readonly withLock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => Date;
}

/** An update reads every document; a first set of vectors takes far longer, and goes on where it was stopped. */
const updateTimeoutMs = 120_000;
const embedTimeoutMs = 900_000;

/** An index kept by an installed qmd, over a private copy of the documents. */
export function createQmdEngine(options: QmdEngineOptions): PreferredEngine {
  const { folder, sources, timeoutMs, searchWaitMs, updateIntervalMs, withLock, now, environment, mode } =
    options;
  const place: QmdPlace = {
    folder,
    configFile: join(folder, "index.yml"),
    indexFile: join(folder, "index.sqlite"),
  };
  const ownEnvironment = {
    ...environment,
    QMD_CONFIG_DIR: folder,
    INDEX_PATH: place.indexFile,
    NO_COLOR: "1",
  };
  const markFile = join(folder, "indexed");
  const mirror = createMirror(join(folder, "documents"), sources);
  const closing = new AbortController();
  const passes = createSyncLoop(({ signal }) => pass(signal));
  /** Ends the pass that runs, because what it does is about to be undone. */
  let undoing = new AbortController();
  let opening: Promise<OpenedDriver> | null = null;
  /** Documents that were copied and that qmd was not told of yet. */
  let behind = new Set<string>();
  let updatedAt: Date | null = null;
  let updateProblem: string | null = null;
  let embedding: Promise<void> | null = null;
  let embedProblem: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  const search = createQmdSearcher({
    ...options,
    ask: async (question, request) => (await open()).ask(question, { timeoutMs, ...request }),
    find: mirror.find,
    read,
    model: readModel,
  });

  /** What could not be opened is tried anew by the next call. */
  async function open(): Promise<OpenedDriver> {
    closing.signal.throwIfAborted();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    opening ??= openDriver({ ...options, place, environment: ownEnvironment }, { timeoutMs });
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  /** A note is read through its guard; a transcript only ever grows, so its copy has the same lines. */
  async function read(document: MirroredDocument) {
    const source = sources.find(({ name }) => name === document.source);
    if (source === undefined) return null;
    if (document.source === "memory") return await source.read(document.path);
    const text = mirror.readText(document);
    return text === null ? null : { text };
  }

  function readModel(): string | null {
    const model = findModel(environment);
    if (model.isThere) return model.name;
    if (mode === "query") return null;
    throw qmdFailure(`qmd has no embedding model (${model.name})`, {
      hint: 'Fetch it with: qmd pull. Or set memory.qmd.searchMode to "search", which needs none.',
    });
  }

  /** The list of collections, as qmd reads it: JSON is YAML. qmd adds to it, so it is written anew each time. */
  function configure(): void {
    const listed = collections.map((name) => [
      name,
      { path: join(folder, "documents", name), pattern: "**/*.md" },
    ]);
    const models = { embed: findModel(environment).address };
    writeFileSync(place.configFile, JSON.stringify({ collections: Object.fromEntries(listed), models }), {
      mode: 0o600,
    });
  }

  async function pass(signal: AbortSignal | undefined): Promise<void> {
    startTimer();
    const driver = await open();
    await withLock(async () => {
      const { changed } = await mirror.sync({ signal });
      for (const path of changed) behind.add(path);
      // Somebody may have deleted the index alone.
      if (!hasIndex()) rmSync(markFile, { force: true });
      const revision = mirror.revision();
      if (readMark() === revision) return;
      configure();
      await driver.update({ timeoutMs: updateTimeoutMs, signal });
      writeFileSync(markFile, revision, { mode: 0o600 });
      behind = new Set();
      updatedAt = now();
    });
    if (mode !== "search" && findModel(environment).isThere) embed(driver);
  }

  /** The revision of the copy that qmd has indexed, whichever process has seen to that; null before the first. */
  function readMark(): string | null {
    try {
      return readFileSync(markFile, "utf8");
    } catch {
      return null;
    }
  }

  const hasIndex = (): boolean => statSync(place.indexFile, { throwIfNoEntry: false }) !== undefined;

  /** One at a time, beside everything else. */
  function embed(driver: OpenedDriver): void {
    embedding ??= driver
      .embed({ timeoutMs: embedTimeoutMs, signal: closing.signal })
      .then(
        () => null,
        (error: unknown) => (error instanceof LonghandError ? error.message : String(error)),
      )
      .then((problem) => {
        embedProblem = problem;
        embedding = null;
      });
  }

  function startTimer(): void {
    if (updateIntervalMs === 0 || timer !== undefined || closing.signal.aborted) return;
    timer = setInterval(() => void catchUp({}), updateIntervalMs);
    timer.unref();
  }

  /** What goes wrong is told with the answers that follow. */
  async function catchUp({ signal }: { signal?: AbortSignal | undefined }): Promise<void> {
    const ended = AbortSignal.any([closing.signal, undoing.signal, ...(signal ? [signal] : [])]);
    try {
      await passes.request({ signal: ended });
      updateProblem = null;
    } catch (error) {
      if (ended.aborted) return;
      updateProblem = error instanceof Error ? error.message : String(error);
    }
  }

  function problems(): string[] {
    return [
      ...(updateProblem === null ? [] : [`qmd's index could not be updated: ${updateProblem}`]),
      ...(embedProblem === null ? [] : [`qmd could not make all vectors: ${embedProblem}`]),
      ...(mode === "query" && !findModel(environment).isThere
        ? [`qmd has no embedding model (${findModel(environment).name}): words answer alone`]
        : []),
    ];
  }

  return {
    name: "qmd",
    async search(query, request) {
      // First, so that a qmd that is not there costs no time.
      await open();
      const isFirst = readMark() === null;
      if (searchWaitMs !== null || isFirst) {
        const late = AbortSignal.timeout(isFirst ? timeoutMs : (searchWaitMs ?? 0));
        await Promise.race([catchUp({}), aborted(late, request.signal)]);
      }
      throwIfAborted(request.signal);
      if (readMark() === null) throw qmdFailure(updateProblem ?? "qmd is still indexing the notes");
      const answer = await search(query, request);
      return { answer: { ...answer, degraded: [...problems(), ...answer.degraded] }, behind };
    },
    async sync(request) {
      await catchUp(request);
      await embedding;
      return problems();
    },
    async forget() {
      undoing.abort();
      undoing = new AbortController();
      await (await opening?.catch(() => null))?.[Symbol.asyncDispose]();
      opening = null;
      await withLock(async () => {
        for (const end of ["", "-wal", "-shm", "-journal"])
          rmSync(`${place.indexFile}${end}`, { force: true });
        rmSync(markFile, { force: true });
        if (statSync(folder, { throwIfNoEntry: false }) !== undefined) await mirror.sync();
      });
      void catchUp({});
    },
    async status() {
      const known = {
        documents: mirror.documents().length,
        sizeBytes: statSync(place.indexFile, { throwIfNoEntry: false })?.size ?? 0,
        ...(updatedAt === null ? {} : { updatedAt: updatedAt.toISOString() }),
      };
      try {
        const driver = await open();
        const startedMs = performance.now();
        if (hasIndex()) {
          const question = { words: ["qmd"], meaning: null, collections: null, limit: 1 };
          await driver.ask(question, { timeoutMs });
        }
        const answered = hasIndex() ? { answeredInMs: Math.round(performance.now() - startedMs) } : {};
        const detail = `searchMode ${mode}, driven by its ${driver.way}`;
        return { ...known, version: driver.version, detail, ...answered };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return { ...known, version: null, detail: `searchMode ${mode}`, problem };
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await passes.close();
      await embedding;
      await (await opening?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}

async function aborted(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
  if (any.aborted) return;
  await new Promise<void>((resolve) => any.addEventListener("abort", () => resolve(), { once: true }));
}
