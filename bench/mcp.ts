import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openMemory } from "../src/memory.ts";

/*
 * What MCP costs: a cold start to the first answer over stdio, and what a call adds to the library's own. The two kinds
 * of calls take turns, so that a busy machine slows both; each has an index and a watcher of its own, because only one
 * process watches an index, and whoever does not has to look at the notes with every search.
 * Run the built package for the start: npm run build && node bench/mcp.ts
 */
const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
const workspace = join(folder, "notes");
const stateDir = join(folder, "state");
mkdirSync(join(workspace, "memory"), { recursive: true });
const words = [
  "river",
  "stone",
  "lantern",
  "harbour",
  "window",
  "copper",
  "garden",
  "signal",
  "paper",
  "winter",
];
for (let i = 0; i < 1000; i++) {
  const lines = Array.from(
    { length: 30 },
    (_, l) => `- ${words[(i + l) % 10]} ${words[(i * 7 + l) % 10]} ${i}-${l}`,
  );
  writeFileSync(join(workspace, "memory", `topic-${i}.md`), `# Topic ${i}\n\n${lines.join("\n")}\n`);
}
const entry = join(import.meta.dirname, "..", "dist", "cli", "bin.js");
{
  await using memory = await openMemory({ workspace, stateDir });
  await memory.sync();
}

const query = "copper lantern 500-3";
const starts: number[] = [];
for (let run = 0; run < 15; run++) {
  const client = startClient();
  await client.initialise();
  await client.search(query);
  starts.push(performance.now() - client.beganMs);
  await client.end();
}
starts.sort((a, b) => a - b);
const client = startClient();
await client.initialise();
const memory = await openMemory({ workspace, stateDir: join(folder, "state-of-library") });
const { promise: watched, resolve } = Promise.withResolvers<void>();
await memory.watch({ onEvent: ({ kind }) => kind === "synced" && resolve() });
await watched;
const byLibrary: number[] = [];
const byMcp: number[] = [];
for (let run = 0; run < 200; run++) {
  byLibrary.push(await time(async () => void (await memory.search(query))));
  byMcp.push(await time(() => client.search(query)));
}
await client.end();
await memory.close();
const library = median(byLibrary);
const overMcp = median(byMcp);
const empties: number[] = [];
for (let run = 0; run < 7; run++)
  empties.push(await time(async () => void (await ended(spawn(process.execPath, ["-e", "0"])))));
rmSync(folder, { recursive: true });
const figures = {
  coldStartMs: Math.round(median(starts)),
  fastestStartMs: Math.round(starts[0]!),
  emptyNodeMs: Math.round(median(empties)),
  libraryMs: round(library),
  overMcpMs: round(overMcp),
  addedMs: round(overMcp - library),
};
console.log(JSON.stringify(figures, null, 2));

function startClient() {
  const beganMs = performance.now();
  const argv = [entry, "mcp", "--workspace", workspace, "--state-dir", stateDir];
  const child = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on("line", (line) => waiting.get(JSON.parse(line).id)?.());
  let id = 0;
  const call = (method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  return {
    beganMs,
    initialise: () =>
      call("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      }),
    search: (text: string) => call("tools/call", { name: "memory_search", arguments: { query: text } }),
    end: async () => {
      child.stdin.end();
      await ended(child);
    },
  };
}

async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

function ended(child: ReturnType<typeof spawn>): Promise<unknown> {
  return new Promise((resolve) => child.once("close", resolve));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
