import { cosineOfUnits, toUnit } from "../vectors/vector-codes.ts";
import { findMedian } from "../vectors/vector-rank.ts";
import { type AgentRow, readAgent } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { vectorsOfChunks } from "./embedding-cache.ts";
import { encodeVector, type VectorExtension } from "./vector-extension.ts";
import type { SetRow } from "./vector-sets.ts";

/** How similar an ordinary chunk of a large set is, by some that are spread evenly over all keys. */
export interface VectorSampling {
  findMedian(sql: Sql, set: SetRow, extension: VectorExtension, query: Float32Array): Promise<number>;
}

const sampleSize = 1024;

interface Sample {
  readonly vectors: readonly Float32Array[];
  readonly chunkCount: number;
}

/**
 * The server looks at a thousand rows for it, a page each, which is a good part of what a search costs it. A process that
 * asks once leaves that to the server; one that asks again takes the sample to itself, until the set has grown or shrunk
 * by a quarter.
 */
export function createVectorSampling(agentId: number): VectorSampling {
  const samples = new Map<number, Sample | null>();

  return {
    async findMedian(sql, set, extension, query) {
      const agent = await readAgent(sql, agentId);
      const known = samples.get(set.id);
      if (known === undefined) {
        samples.set(set.id, null);
        return await findThere(sql, set, extension, { query, keys: pickKeys(agent) });
      }
      let sample = known;
      if (sample === null || Math.abs(agent.chunkCount / sample.chunkCount - 1) > 0.25) {
        const vectors = await vectorsOfChunks(sql, agentId, set, pickKeys(agent));
        sample = { vectors: [...vectors.values()], chunkCount: agent.chunkCount };
        samples.set(set.id, sample);
      }
      const unit = toUnit(query);
      return findMedian(Float32Array.from(sample.vectors, (vector) => cosineOfUnits(unit, vector)));
    },
  };
}

function pickKeys({ nextKey, chunkCount }: AgentRow): number[] {
  // Keys of chunks that have gone are hit too.
  const wanted = Math.min(nextKey, Math.ceil((sampleSize * nextKey) / Math.max(1, chunkCount)));
  const step = Math.max(1, nextKey / Math.min(wanted, 16 * sampleSize));
  return Array.from({ length: Math.floor(nextKey / step) }, (_, index) => Math.floor(index * step));
}

async function findThere(
  sql: Sql,
  set: SetRow,
  { schema }: VectorExtension,
  { query, keys }: { readonly query: Float32Array; readonly keys: readonly number[] },
): Promise<number> {
  const [row] = await sql<{ median: number | null }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY
       1 - (v.embedding OPERATOR(${schema}.<=>) $1::${schema}.vector::${schema}.halfvec)) AS median
     FROM longhand.chunks_vec v WHERE v.agent_id = $4 AND v.embedder_id = $2 AND v.key = ANY($3::int8[]) AND v.embedding IS NOT NULL`,
    [encodeVector(query), set.id, keys, set.agent_id],
  );
  return row?.median ?? 0;
}
