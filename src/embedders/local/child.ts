import os from "node:os";
import { messageOf } from "../../errors.ts";
import type { FromModel, ToModel } from "./model-process.ts";

/*
 * The entry of the process that runs the model. If native code crashes, it ends this process and not the host.
 * It answers messages and does nothing else; the host discards what it prints.
 */

interface Job {
  readonly id: number;
  readonly isUrgent: boolean;
  /** The remaining ones. */
  readonly texts: string[];
}

type EmbedText = (text: string) => Promise<Float32Array | null>;

serve();

function serve(): void {
  const jobs: Job[] = [];
  let loading: Promise<EmbedText | null> = Promise.resolve(null);
  let isWorking = false;

  /** One text at a time in one context, so that a query need not wait for a batch of notes. */
  async function work(): Promise<void> {
    const embedText = await loading;
    for (;;) {
      const job = jobs.find(({ isUrgent }) => isUrgent) ?? jobs[0];
      if (job === undefined || embedText === null) break;
      const { id, texts } = job;
      try {
        const vector = await embedText(texts.shift()!);
        if (jobs.includes(job)) answer({ kind: "embedded", id, vector });
      } catch (error) {
        answer({ kind: "failed", id, message: messageOf(error) });
        texts.length = 0;
      }
      if (texts.length === 0) forget(id);
    }
    isWorking = false;
  }

  function forget(job: number): void {
    const at = jobs.findIndex(({ id }) => id === job);
    if (at >= 0) jobs.splice(at, 1);
  }

  process.on("message", (message: ToModel) => {
    if (message.kind === "load") loading = load(message);
    if (message.kind === "cancel") forget(message.id);
    if (message.kind !== "embed") return;
    jobs.push({ id: message.id, isUrgent: message.isUrgent, texts: [...message.texts] });
    if (isWorking) return;
    isWorking = true;
    void work();
  });
  // An ordinary exit would run into native threads that are still computing, and nothing needs to be cleaned up.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // Ctrl+C in a terminal reaches this process too, but the host decides what to do.
  process.on("SIGINT", () => {});
}

async function load({
  file,
  contextTokens,
  packageName,
}: Extract<ToModel, { kind: "load" }>): Promise<EmbedText | null> {
  const llamaPackage = await import(packageName).catch((error: unknown) => {
    answer({ kind: "unusable", why: "package-missing", message: messageOf(error) });
    return null;
  });
  if (llamaPackage === null) return null;
  try {
    return await openModel(llamaPackage as typeof import("node-llama-cpp"), { file, contextTokens });
  } catch (error) {
    answer({ kind: "unusable", why: "load-failed", message: messageOf(error) });
    return null;
  }
}

async function openModel(
  { getLlama, LlamaLogLevel }: typeof import("node-llama-cpp"),
  { file, contextTokens }: { file: string; contextTokens: number },
): Promise<EmbedText> {
  // The threads wait for each other by spinning: with more of them than free cores a text takes many times as long.
  const threads = Math.max(1, os.availableParallelism() - 1);
  const llama = await getLlama({
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: file });
  // A context above the trained size aborts the process.
  const contextSize = Math.min(contextTokens, model.trainContextSize);
  // With a batch smaller than the number of tokens, the vector would silently differ.
  const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads });
  // One token at the beginning and one at the end; the context must be longer than its content.
  const maxTokens = contextSize - 3;
  return async (text) => {
    // Special tokens are not parsed, because a note may contain text that looks like them.
    const tokens = model.tokenize(text, false);
    const { vector } = await context.getEmbeddingFor(tokens.slice(0, maxTokens));
    return vector.length === 0 ? null : Float32Array.from(vector);
  };
}

function answer(message: FromModel): void {
  // The host may have exited; `disconnect` follows.
  process.send?.(message, () => {});
}
