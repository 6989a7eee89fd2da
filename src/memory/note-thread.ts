/** A worker thread that prepares notes for a first index; started by `note-worker-pool.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { createDailyPattern } from "../notes/daily-pattern.ts";
import { createNoteReader } from "../notes/note.ts";
import { answerInOrder } from "../program-thread.ts";
import { createNotesSource } from "../sources/markdown-folder.ts";
import { type Prepared, prepareDocument } from "../sync/prepare.ts";
import { createChunker } from "../text/chunk.ts";
import { createMask } from "../text/mask.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { indexHead } from "../text/words/chunk-tokens.ts";
import {
  type NoteBatch,
  type NoteThreadSetup,
  type PreparedBatch,
  preparationId,
} from "./note-worker-pool.ts";

const { workspaceDir, extraPaths, include, daily, literals, chunking } = workerData as NoteThreadSetup;
const analyzer = createAnalyzer();
const chunker = createChunker(chunking);
const mask = createMask(literals);
const asked = { at: 0 };
const notes = {
  read: createNoteReader({ workspaceDir, extraPaths, include }, { now: () => new Date(asked.at) }),
  daily: createDailyPattern(daily),
  scan: () => Promise.reject(new Error("what is asked for was listed before")),
};
const source = createNotesSource(notes, mask);
const store = { chunksOf: async () => [] };

answerInOrder(parentPort!, preparationId({ analyzer, chunker, mask }), async (batch: NoteBatch) => {
  const { requests, askedAt } = batch;
  asked.at = askedAt;
  const outcomes: Prepared[] = [];
  const words = createWords();
  for (const { path, ...request } of requests) {
    const outcome = await prepareDocument(path, { source, chunker, store }, request);
    outcomes.push(outcome.kind === "put" ? withoutText(outcome) : outcome);
    if (outcome.kind !== "put") continue;
    for (const chunk of outcome.indexed.chunks) {
      words.add(analyzer.indexBytes(chunk.text.toWellFormed()));
      words.add(indexHead(analyzer, { text: chunk.text, headings: chunk.headings, path }));
    }
  }
  const message: PreparedBatch = { outcomes, ...words.pack() };
  return { message, transfer: [message.words.buffer, message.lengths.buffer] };
});

/** Drops the text, because the chunks contain all of it. */
function withoutText(prepared: Prepared & { kind: "put" }): Prepared {
  const { document, chunks } = prepared.indexed;
  return { kind: "put", indexed: { document: { ...document, text: undefined } as typeof document, chunks } };
}

function createWords() {
  let bytes = new Uint8Array(64 * 1024);
  let length = 0;
  const lengths: number[] = [];
  return {
    add(tokens: Uint8Array): void {
      if (length + tokens.length > bytes.length) {
        const larger = new Uint8Array(2 * (length + tokens.length));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(tokens, length);
      length += tokens.length;
      lengths.push(tokens.length);
    },
    pack: () => ({ words: bytes.slice(0, length), lengths: Int32Array.from(lengths) }),
  };
}
