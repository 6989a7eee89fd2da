/**
 * A first index through a service that takes its time: how close it comes to requests ÷ concurrency × latency. The
 * service runs in a process of its own and answers with vectors made in advance. A second index must send nothing.
 *
 *     node bench/provider-latency.ts [--chunks 10000] [--latency 50] [--concurrency 4] [--dimensions 1536] [--floats]
 *
 * With `--floats` the service does not know base64 and sends every number in digits.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../src/eval/random.ts";
import { openMemory } from "../src/memory.ts";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "10000" },
    latency: { type: "string", default: "50" },
    concurrency: { type: "string", default: "4" },
    dimensions: { type: "string", default: "1536" },
    floats: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
  },
});
const chunkCount = Number(values.chunks);
const latencyMs = Number(values.latency);
const concurrency = Number(values.concurrency);
const dimensions = Number(values.dimensions);
const chunksPerNote = 10;

if (values.serve) serve();
else await measure();

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), "--serve"], { execArgv: [] });
  const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
  try {
    const [baseUrl] = (await once(child, "message")) as [string];
    const workspace = join(folder, "notes");
    writeNotes(workspace);
    const options = {
      workspace,
      stateDir: join(folder, "state"),
      config: {
        agents: { defaults: { memorySearch: { provider: "openai", remote: { baseUrl, concurrency } } } },
      },
    } as const;
    let idealRequests = 0;
    {
      await using memory = await openMemory(options);
      const [began, cpuBefore] = [performance.now(), process.cpuUsage()];
      const report = await memory.sync();
      const tookMs = performance.now() - began;
      const { user, system } = process.cpuUsage(cpuBefore);
      const { requests, tokens } = (await memory.status()).embedding;
      idealRequests = requests;
      const idealMs = (requests / concurrency) * latencyMs;
      console.log(`${report.embedded} texts in ${requests} requests, ${tokens} tokens by the service`);
      if (report.degraded.length > 0) console.log(report.degraded.join("\n"));
      console.log(
        `first index ${seconds(tookMs)}, ideal ${seconds(idealMs)}, ratio ${(tookMs / idealMs).toFixed(2)}`,
      );
      console.log(
        `of that, work of this process ${seconds((user + system) / 1000)}; load ${loadavg()[0]?.toFixed(1)}`,
      );
    }
    await measureBare(baseUrl, idealRequests);
    await using memory = await openMemory(options);
    const before = (await memory.status()).embedding.requests;
    const { embedded } = await memory.sync();
    const { requests } = (await memory.status()).embedding;
    console.log(`second index: ${embedded} texts, ${requests - before} requests`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reference: as many requests of that size with nothing done about the answers, on the same machine at this hour. */
async function measureBare(baseUrl: string, requests: number): Promise<void> {
  const input = Array.from({ length: Math.round(chunkCount / requests) }, () => "x".repeat(1600));
  const body = JSON.stringify({ model: "any", input, encoding_format: "base64" });
  const headers = { "content-type": "application/json" };
  const began = performance.now();
  let left = requests;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await fetch(`${baseUrl}/embeddings`, { method: "POST", headers, body });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  console.log(`the bare requests alone ${seconds(performance.now() - began)}`);
}

/** Chunks of the usual size: about 1,600 characters, in words of which few are frequent and many are rare. */
function writeNotes(workspace: string): void {
  const random = createRandom(7);
  const below = (most: number) => Math.floor(random() * most);
  const letter = () => String.fromCharCode(97 + below(26));
  const vocabulary = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 3 + below(6) }, letter).join(""),
  );
  const word = () => vocabulary[Math.floor(vocabulary.length * random() ** 4)]!;
  mkdirSync(join(workspace, "memory"), { recursive: true });
  for (let note = 0; note < chunkCount / chunksPerNote; note++) {
    const sections = Array.from({ length: chunksPerNote }, (_, section) => {
      const lines = Array.from({ length: 20 }, () => Array.from({ length: 11 }, word).join(" "));
      return `## Section ${note}.${section}\n\n${lines.join("\n")}\n`;
    });
    writeFileSync(join(workspace, "memory", `${note}.md`), sections.join("\n"));
  }
}

function serve(): void {
  const random = createRandom(9);
  const numbers = Array.from({ length: 200 }, () =>
    Array.from({ length: dimensions }, () => Number((random() * 0.2 - 0.1).toFixed(8))),
  );
  const vectors = numbers.map((vector) => ({
    float: JSON.stringify(vector),
    base64: JSON.stringify(Buffer.from(Float32Array.from(vector).buffer).toString("base64")),
  }));
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const arrivedMs = performance.now();
      const { input, encoding_format: asked } = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
        input: string[];
        encoding_format?: string;
      };
      const format = asked === "base64" && !values.floats ? "base64" : "float";
      const data = input.map(
        (text, index) => `{"index":${index},"embedding":${vectors[text.length % 200]![format]}}`,
      );
      const tokens = Math.round(input.join("").length / 4);
      const body = `{"data":[${data.join()}],"usage":{"total_tokens":${tokens}}}`;
      // The latency includes what this process needs, as that of a real service does.
      setTimeout(
        () => {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(body);
        },
        Math.max(0, latencyMs - (performance.now() - arrivedMs)),
      );
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send?.(`http://127.0.0.1:${port}/v1`);
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
