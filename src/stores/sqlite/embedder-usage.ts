import type { DatabaseSync } from "node:sqlite";
import type { EmbedderUsage } from "../store.ts";

/** Adds to what an embedder was asked for; a cost that is not known makes the sum unknown. */
export function prepareAddUsage(db: DatabaseSync, now: () => number) {
  const add = db.prepare(
    `INSERT INTO embedder_usage (embedder, requests, tokens, texts, cost_usd, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (embedder) DO UPDATE SET requests = requests + excluded.requests,
       tokens = tokens + excluded.tokens, texts = texts + excluded.texts,
       cost_usd = cost_usd + excluded.cost_usd, updated_at = excluded.updated_at`,
  );
  return (embedderId: string, { requests, tokens, texts, costUsd }: EmbedderUsage): void => {
    add.run(embedderId, requests, tokens, texts, costUsd, now());
  };
}
