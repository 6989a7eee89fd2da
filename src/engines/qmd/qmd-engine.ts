import { statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, throwIfAborted } from "../../errors.ts";
import { makeFolder } from "../../files.ts";
import type { Source } from "../../sources/source.ts";
import { createSyncLoop } from "../../sync/loop.ts";
import { maxTimerMs, monotonicMs, settleWithin } from "../../timing.ts";
import type { PreferredEngine } from "../engine.ts";
import { findModels, type QmdModels, writeQmdConfig } from "./configure-qmd.ts";
import { type QmdLocation, qmdFailure } from "./driver.ts";
import { createMirror, fileKey, type MirroredDocument } from "./mirror.ts";
import { createEmbeddingRuns, type DriverOptions, type OpenedDriver, openDriver } from "./open-driver.ts";
import { createQmdIndex } from "./qmd-index.ts";
import { createQmdSearcher, type QmdSearcherParts } from "./qmd-searcher.ts";

interface QmdEngineOptions
  extends Omit<DriverOptions, "location">,
    Omit<QmdSearcherParts, "ask" | "find" | "read" | "model" | "abilities"> {
  /** Private to qmd and to this agent; created if missing. */
  readonly folder: string;
  readonly sources: readonly Source[];
  /** Whether results are reranked if qmd has the model for it. */
  readonly reranks: boolean;
  /** Per answer. */
  readonly timeoutMs: number;
  /** How long a search waits for changed notes to be indexed; null does not check for changes. */
  readonly searchWaitMs: number | null;
  /** 0 for none. */
  readonly updateIntervalMs: number;
  /** The minimum time between background updates. */
  readonly updateDebounceMs: number;
  readonly updateTimeoutMs: number;
  /** The minimum time between background embedding runs; an explicit sync does not wait for it. */
  readonly embedIntervalMs: number;
  readonly embedTimeoutMs: number;
  /** Keeps processes that share the folder from changing it at once. */
  readonly withLock: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly now: () => Date;
}

/** An index by an installed qmd, over a private copy of the documents. */
export function createQmdEngine(options: QmdEngineOptions): PreferredEngine {
  const { folder, sources, timeoutMs, searchWaitMs, withLock, now, environment, mode } = options;
  const { updateIntervalMs, updateDebounceMs, updateTimeoutMs, embedIntervalMs, embedTimeoutMs } = options;
  const location: QmdLocation = {
    folder,
    configFile: join(folder, "index.yml"),
    indexFile: join(folder, "index.sqlite"),
  };
  const ownEnvironment = {
    ...environment,
    QMD_CONFIG_DIR: folder,
    INDEX_PATH: location.indexFile,
    NO_COLOR: "1",
  };
  const index = createQmdIndex({ indexFile: location.indexFile, recordFile: join(folder, "indexed") });
  const mirror = createMirror(join(folder, "documents"), sources);
  const closing = new AbortController();
  const syncLoop = createSyncLoop(({ signal }) => syncOnce(signal));
  /** Cancels the running sync and embedding, because their result is about to be purged. */
  let purging = new AbortController();
  let opening: Promise<OpenedDriver> | null = null;
  let updatedAt: Date | null = null;
  let updateProblem: string | null = null;
  const vectors = createEmbeddingRuns({ timeoutMs: embedTimeoutMs });
  let embeddedMs = Number.NEGATIVE_INFINITY;
  let syncedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const search = createQmdSearcher({
    ...options,
    async ask(question, { signal }) {
      const driver = await open();
      try {
        return await driver.ask(question, { timeoutMs, signal: untilClosed(signal) });
      } catch (error) {
        index.classify(error);
        throw error;
      }
    },
    find: mirror.find,
    read,
    model: readModel,
    abilities: () => {
      const { generate, rerank } = findModels(environment);
      return { expands: generate.isDownloaded, reranks: options.reranks && rerank.isDownloaded };
    },
  });

  function untilClosed(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    return AbortSignal.any([closing.signal, ...signals.filter((signal) => signal !== undefined)]);
  }

  /** After a failure, the next call tries again. */
  async function open(): Promise<OpenedDriver> {
    throwIfAborted(closing.signal);
    makeFolder(folder, 0o700);
    opening ??= openDriver(
      { ...options, location, environment: ownEnvironment },
      { timeoutMs, signal: closing.signal },
    );
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  /** A note is read through the path guard; a transcript is append-only, so its copy has the same lines. */
  async function read(document: MirroredDocument) {
    const source = sources.find(({ name }) => name === document.source);
    if (source === undefined) return null;
    if (document.source === "memory") return await source.read(document.path);
    const text = mirror.readText(document);
    return text === null ? null : { text };
  }

  function readModel(): string | null {
    const model = findModels(environment).embed;
    if (model.isDownloaded) return model.name;
    if (mode === "query") return null;
    throw qmdFailure(`qmd has no embedding model (${model.name})`, {
      hint: 'Fetch it with: qmd pull. Or set memory.qmd.searchMode to "search", which needs none.',
    });
  }

  async function syncOnce(signal: AbortSignal | undefined): Promise<void> {
    startTimer();
    const driver = await open();
    await withLock(async () => {
      await mirror.sync({ signal });
      index.clear();
      const hashes = mirror.hashes();
      if (isSame(index.readIndexed(), hashes)) return;
      writeQmdConfig(location, findModels(environment));
      try {
        await driver.update({ timeoutMs: updateTimeoutMs, signal });
      } catch (error) {
        index.classify(error);
        throw error;
      }
      index.writeIndexed(hashes);
      updatedAt = now();
    });
    if (mode !== "search" && findModels(environment).embed.isDownloaded && isTimeToEmbed())
      vectors.start(driver, untilClosed(purging.signal));
  }

  function isTimeToEmbed(): boolean {
    const nowMs = now().getTime();
    if (nowMs - embeddedMs < embedIntervalMs) return false;
    embeddedMs = nowMs;
    return true;
  }

  /** Documents that a process has copied and qmd has not indexed yet. */
  function findOutdated(): Set<string> {
    const indexed = index.readIndexed();
    const late = mirror.documents().filter((document) => indexed?.get(fileKey(document)) !== document.hash);
    return new Set(late.map(({ path }) => path));
  }

  function startTimer(): void {
    if (updateIntervalMs === 0 || timer !== undefined || closing.signal.aborted) return;
    timer = setInterval(() => void catchUp({}), Math.min(updateIntervalMs, maxTimerMs));
    timer.unref();
  }

  /** Returns whether it did. Failures are reported with the next answers. */
  async function catchUp({ signal }: { signal?: AbortSignal | undefined }): Promise<boolean> {
    const ended = untilClosed(purging.signal, signal);
    try {
      await syncLoop.request({ signal: ended });
      syncedMs = now().getTime();
      updateProblem = null;
      return true;
    } catch (error) {
      if (!ended.aborted) updateProblem = messageOf(error);
      return false;
    }
  }

  /** Lets the index catch up before an answer, and returns whether it has. */
  async function freshen(isFirst: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    if (searchWaitMs === null && !isFirst) {
      // Only once, in the background: searches are not supposed to check for changes.
      if (timer === undefined) void catchUp({});
      startTimer();
      return true;
    }
    if (!isFirst && now().getTime() - syncedMs < updateDebounceMs) return false;
    const waitMs = isFirst ? timeoutMs : (searchWaitMs ?? 0);
    return (await settleWithin(waitMs, catchUp({}), { signal })) ?? false;
  }

  function problems(): string[] {
    return [
      ...(updateProblem === null ? [] : [`qmd's index could not be updated: ${updateProblem}`]),
      ...(vectors.problem() === null ? [] : [`qmd could not make all vectors: ${vectors.problem()}`]),
      ...(mode === "query" && !findModels(environment).embed.isDownloaded
        ? [`qmd has no embedding model (${findModels(environment).embed.name}): only keyword search answers`]
        : []),
    ];
  }

  return {
    name: "qmd",
    async search(query, request) {
      // First, so that a missing qmd costs no time.
      await settleWithin(null, open(), { signal: request.signal });
      throwIfAborted(request.signal);
      const isFresh = await freshen(index.readIndexed() === null, request.signal);
      throwIfAborted(request.signal);
      if (index.readIndexed() === null) throw qmdFailure(updateProblem ?? "qmd is still indexing the notes");
      const answer = await search(query, request);
      const outdated = findOutdated();
      // If the missing documents are known, the caller that adds them decides whether the answer is stale.
      const stale = !isFresh && outdated.size === 0;
      return { answer: { ...answer, stale, degraded: [...problems(), ...answer.degraded] }, outdated };
    },
    async sync(request) {
      embeddedMs = Number.NEGATIVE_INFINITY;
      await catchUp(request);
      await vectors.done();
      return problems();
    },
    async forget() {
      purging.abort();
      purging = new AbortController();
      await (await opening?.catch(() => null))?.[Symbol.asyncDispose]();
      opening = null;
      await withLock(async () => {
        index.remove();
        if (statSync(folder, { throwIfNoEntry: false }) !== undefined)
          await mirror.sync({ isThorough: true });
      });
      void catchUp({});
    },
    async status() {
      const known = {
        documents: mirror.documents().length,
        sizeBytes: index.sizeBytes(),
        ...(updatedAt === null ? {} : { updatedAt: updatedAt.toISOString() }),
      };
      try {
        const driver = await open();
        const startedMs = monotonicMs();
        const isIndexed = index.readIndexed() !== null;
        if (isIndexed) {
          const nothing = { semantic: null, expand: null, rerank: null, collections: null };
          const question = { words: ["qmd"], ...nothing, limit: 1 };
          await driver.ask(question, { timeoutMs, signal: closing.signal });
        }
        const answered = isIndexed ? { answeredInMs: Math.round(monotonicMs() - startedMs) } : {};
        const detail = `searchMode ${mode}, driven by its ${driver.way}${describeModels(mode, findModels(environment), options)}`;
        return { ...known, version: driver.version, detail, ...answered };
      } catch (error) {
        index.classify(error);
        const problem = messageOf(error);
        return { ...known, version: null, detail: `searchMode ${mode}`, problem };
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await syncLoop.close();
      await vectors.done();
      await (await opening?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}

/** Which models are used, and which are missing. */
function describeModels(
  mode: QmdEngineOptions["mode"],
  { embed, generate, rerank }: QmdModels,
  { reranks }: Pick<QmdEngineOptions, "reranks">,
): string {
  if (mode === "search") return "; keyword search only";
  const uses: [what: string, model: QmdModels["embed"]][] = [["embedding", embed]];
  if (mode === "query") uses.push(["query expansion", generate]);
  if (mode === "query" && reranks) uses.push(["reranking", rerank]);
  return uses
    .map(([what, { name, isDownloaded }]) =>
      isDownloaded ? `; ${what} by ${name}` : `; no model for ${what} (${name})`,
    )
    .join("");
}

function isSame(left: ReadonlyMap<string, string> | null, right: ReadonlyMap<string, string>): boolean {
  return left?.size === right.size && [...right].every(([file, hash]) => left.get(file) === hash);
}
