/** A worker thread that embeds texts when there are many; started by `embedding-threads.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { answerInOrder } from "../../program-thread.ts";
import { type EmbeddedPiece, type EmbedThreadSetup, packVectors, pieceSize } from "./embedding-threads.ts";

const { folder } = workerData as EmbedThreadSetup;
// Imported on demand, as everywhere, so that the build keeps the model in a separate file.
const { openBuiltinEmbedder } = await import("./builtin-embedder.ts");
const embedder = await openBuiltinEmbedder(folder === undefined ? {} : { folder });

answerInOrder(parentPort!, embedder.id, async (texts: readonly string[]) => {
  const vectors = await embedder.embedDocuments(texts.slice(0, pieceSize));
  const message: EmbeddedPiece = packVectors(vectors, embedder.dimensions!);
  return { message, transfer: [message.counts.buffer, message.numbers.buffer] };
});
