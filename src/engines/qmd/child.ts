import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../errors.ts";
import {
  type FromChild,
  type OpenLibrary,
  type QmdDocument,
  type QmdQuestion,
  rerankedDocuments,
  type ToChild,
} from "./driver.ts";

/**
 * The process that runs the qmd library. It knows nothing of longhand: it receives the files to open, and answers
 * queries about them one after the other.
 */

interface LibraryHit {
  readonly collectionName: string;
  readonly displayPath: string;
  readonly hash: string;
  readonly score: number;
  readonly body?: string;
  readonly chunkPos?: number;
}
type LibrarySearch = (
  query: string,
  options: { limit: number; collection?: string },
) => Promise<readonly LibraryHit[]>;
interface TypedQuery {
  readonly type: "lex" | "vec" | "hyde";
  readonly query: string;
}
interface RerankedHit {
  readonly displayPath: string;
  readonly bestChunk?: string;
  readonly bestChunkPos?: number;
  readonly explain?: { readonly rerankScore?: number };
}
interface LibraryStore {
  searchLex: LibrarySearch;
  searchVector: LibrarySearch;
  expandQuery(query: string): Promise<readonly TypedQuery[]>;
  search(options: {
    queries: readonly TypedQuery[];
    intent: string;
    rerank: true;
    explain: true;
    limit: number;
    candidateLimit: number;
    collections?: readonly string[];
  }): Promise<readonly RerankedHit[]>;
  update(): Promise<unknown>;
  close(): Promise<void>;
}
interface Library {
  createStore(options: { dbPath: string; configPath: string }): Promise<LibraryStore>;
}

type Draft = { -readonly [Key in keyof QmdDocument]: QmdDocument[Key] };

/** Enough of a similar passage to find it in the note. */
const passageChars = 1500;

type Answer = (message: ToChild) => Promise<readonly QmdDocument[]>;

async function serve({ library, configFile, indexFile }: OpenLibrary): Promise<Answer> {
  const { createStore } = (await import(pathToFileURL(library).href)) as Library;
  const open = () => createStore({ dbPath: indexFile, configPath: configFile });
  let store = await open();
  let opened = identify(indexFile);

  return async (message) => {
    // Another process may have deleted the index, to purge it.
    if (identify(indexFile) !== opened) {
      await store.close();
      store = await open();
      opened = identify(indexFile);
    }
    if (message.kind === "ask") return await ask(store, message.question);
    await store.update();
    return [];
  };
}

async function ask(store: LibraryStore, question: QmdQuestion): Promise<QmdDocument[]> {
  const { semantic, expand, rerank, collections, limit } = question;
  const found = new Map<string, Draft>();
  const expanded = expand === null ? [] : await store.expandQuery(expand);
  const words = [
    ...question.words,
    ...expanded.filter(({ type }) => type === "lex").map(({ query }) => query),
  ];
  const others = expanded.filter(({ type }) => type !== "lex").map(({ query }) => query);
  // Without an embedding model there is nothing to compare expanded queries with.
  const semanticQueries = semantic === null ? [] : [semantic, ...others];
  const search = async (by: LibrarySearch, query: string): Promise<LibraryHit[]> => {
    if (collections === null) return [...(await by(query, { limit }))];
    const lists: LibraryHit[] = [];
    for (const collection of collections) lists.push(...(await by(query, { limit, collection })));
    return lists.sort((left, right) => right.score - left.score).slice(0, limit);
  };
  const note = ({ collectionName, displayPath, hash }: LibraryHit) => {
    const known = found.get(displayPath);
    if (known) return known;
    const file = displayPath.slice(collectionName.length + 1);
    const document: Draft = { collection: collectionName, file, hashStart: hash, byKeyword: [] };
    found.set(displayPath, document);
    return document;
  };
  for (const query of words) {
    for (const [index, hit] of (await search(store.searchLex, query)).entries()) {
      const document = note(hit);
      document.byKeyword = [...document.byKeyword, { query, rank: index + 1 }];
    }
  }
  for (const each of semanticQueries) {
    for (const hit of await search(store.searchVector, each)) {
      const offset = hit.chunkPos ?? 0;
      const text = (hit.body ?? "").slice(offset, offset + passageChars);
      const document = note(hit);
      if ((document.byVector?.similarity ?? -1) < hit.score) {
        document.byVector = { similarity: hit.score, text, offset };
      }
    }
  }
  if (rerank !== null && found.size > 0) {
    const reranked = await store.search({
      queries: [
        ...words.map((query) => ({ type: "lex", query }) as const),
        ...semanticQueries.map((query) => ({ type: "vec", query }) as const),
      ],
      intent: rerank,
      rerank: true,
      explain: true,
      limit,
      candidateLimit: rerankedDocuments,
      ...(collections !== null && { collections }),
    });
    for (const { displayPath, bestChunk = "", bestChunkPos = null, explain } of reranked) {
      const document = found.get(displayPath);
      const score = explain?.rerankScore;
      if (document === undefined || score === undefined) continue;
      document.rerank = { score, text: bestChunk.slice(0, passageChars), offset: bestChunkPos };
    }
  }
  return [...found.values()];
}

function identify(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

function send(message: FromChild): void {
  if (process.connected) process.send?.(message, () => {});
}

function listen(): void {
  let serving: Promise<Answer | null> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  process.on("message", (message: OpenLibrary | ToChild) => {
    if (!("kind" in message)) {
      serving = serve(message).catch((error: unknown) => {
        send({ kind: "unusable", message: messageOf(error) });
        return null;
      });
      return;
    }
    turn = turn.then(async () => {
      try {
        const documents = await (await serving)?.(message);
        if (documents) send({ kind: "answer", id: message.id, documents });
      } catch (error) {
        send({ kind: "failed", id: message.id, message: messageOf(error) });
      }
    });
  });
  // The parent has exited, and native code may keep this process alive.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
}

listen();
