import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openMemory } from "../../src/memory/open-memory.ts";
import { inTemporaryFolder, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const latencyMs = 50;
const concurrency = 4;
const dimensions = 1536;
const chunksPerNote = 10;
const charactersPerNote = 13_000;

/** A first index through a slow service in a separate process; then a second index. */
export async function measure({ providerChunks }: Sizes): Promise<PartResult> {
  const service = fork(
    join(import.meta.dirname, "..", "children", "embedding-service.ts"),
    [String(latencyMs), String(dimensions)],
    { execArgv: ["--no-warnings"] },
  );
  try {
    const [baseUrl] = (await once(service, "message")) as [string];
    return await inTemporaryFolder(async (folder) => {
      const workspace = join(folder, "notes");
      writeNotes(workspace, { count: providerChunks / chunksPerNote, charactersPerNote });
      const options = {
        workspace,
        stateDir: join(folder, "state"),
        config: {
          agents: { defaults: { memorySearch: { provider: "openai", remote: { baseUrl, concurrency } } } },
        },
      } as const;
      const index = async () => {
        await using memory = await openMemory(options);
        let embedded = 0;
        const ms = await timeMs(async () => {
          embedded = (await memory.sync()).embedded;
        });
        const { requests } = (await memory.status()).embedding;
        return { ms, embedded, requests };
      };
      const first = await index();
      const second = await index();
      const idealMs = (first.requests / concurrency) * latencyMs;
      const bareMs = await timeBare(baseUrl, first);
      const detail =
        `${first.embedded.toLocaleString("en")} texts in ${first.requests} requests, ${concurrency} at once; ` +
        `the bare requests took ${(bareMs / 1000).toFixed(1)} s`;
      return {
        figures: {
          "provider-index": { ours: first.ms, reference: idealMs, detail },
          "provider-again": { ours: second.requests - first.requests },
        },
      };
    });
  } finally {
    service.disconnect();
  }
}

/** The same number of requests of that size, without processing the responses. */
async function timeBare(
  baseUrl: string,
  { embedded, requests }: { embedded: number; requests: number },
): Promise<number> {
  const input = Array.from({ length: Math.round(embedded / requests) }, () => "x".repeat(1600));
  const body = JSON.stringify({ model: "any", input, encoding_format: "base64" });
  const headers = { "content-type": "application/json" };
  let left = requests;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${baseUrl}/embeddings`, { method: "POST", headers, body });
      await response.arrayBuffer();
    }
  };
  return await timeMs(() => Promise.all(Array.from({ length: concurrency }, send)));
}
