/** Embeds texts in a thread of its own, when there are many; `embedding-threads.ts` starts it and asks. */
import { parentPort, workerData } from "node:worker_threads";
import { type EmbeddedPiece, type EmbedThreadSetup, packVectors, pieceSize } from "./embedding-threads.ts";

const { folder } = workerData as EmbedThreadSetup;
const port = parentPort!;
// As everywhere, so that the build leaves the model in a file of its own.
const { openBuiltinEmbedder } = await import("./builtin-embedder.ts");
const embedder = await openBuiltinEmbedder(folder === undefined ? {} : { folder });

port.on("message", async (texts: readonly string[]) => {
  const vectors = await embedder.embedDocuments(texts.slice(0, pieceSize));
  const piece: EmbeddedPiece = packVectors(vectors, embedder.dimensions!);
  port.postMessage(piece, [piece.counts.buffer, piece.numbers.buffer]);
});
port.postMessage(embedder.id);
