import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { importBuilt } from "../built-package.ts";
import { createStubEmbedder } from "../stub-embedder.ts";

export interface IndexNotes {
  readonly workspace: string;
  readonly stateDir: string;
  readonly embedder: "none" | "stub" | "builtin";
}

export interface IndexedNotes {
  readonly ms: number;
  readonly chunks: number;
  readonly heldP99Ms: number;
  readonly heldMostMs: number;
  readonly sizeBytes: number;
}

const resolutionMs = 5;

/** A first index with the built package in a new process, as users run it, from opening to closing. */
export async function measure({ workspace, stateDir, embedder }: IndexNotes): Promise<IndexedNotes> {
  const provider = embedder === "builtin" ? "builtin" : "none";
  const config = { agents: { defaults: { memorySearch: { provider } } } } as const;
  const { openMemory } = await importBuilt<typeof import("../../src/index.ts")>("index.js");
  const stub = embedder === "stub" && createStubEmbedder(256, () => new Float32Array(256).fill(1 / 16));
  const held = monitorEventLoopDelay({ resolution: resolutionMs });
  held.enable();
  const began = performance.now();
  const memory = await openMemory({ workspace, stateDir, config, ...(stub && { embedder: stub }) });
  const { chunks, failed, degraded } = await memory.sync();
  const ms = performance.now() - began;
  held.disable();
  await memory.close();
  if (failed.length + degraded.length > 0) throw new Error(`Not all was indexed: ${degraded.join(" ")}`);
  return {
    ms,
    chunks,
    // The monitor counts its own resolution as delay.
    heldP99Ms: held.percentile(99) / 1e6 - resolutionMs,
    heldMostMs: held.max / 1e6 - resolutionMs,
    sizeBytes: indexBytes(stateDir),
  };
}

function indexBytes(stateDir: string): number {
  const names = readdirSync(stateDir, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".sqlite"))
    .reduce((sum, name) => sum + statSync(join(stateDir, name)).size, 0);
}
