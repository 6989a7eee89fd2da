import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openMemory } from "../../src/memory/open-memory.ts";
import { builtCommand, runToEndMs } from "../built-package.ts";
import { inTemporaryFolder, medianInTurns, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const noteCount = 1000;
const query = "which colour does the winter garden have";

/**
 * What MCP costs: a cold start to the first answer over stdio, and what a call adds to the library's own. Both kinds of
 * calls are measured in turn; each has its own index and watcher, because only one process watches an index, and the
 * others check the notes with every search.
 */
export async function measure({ rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const [workspace, stateDir] = [join(folder, "notes"), join(folder, "state")];
    const notes = writeNotes(workspace, { count: noteCount });
    {
      await using memory = await openMemory({ workspace, stateDir });
      await memory.sync();
      await notes.settled();
      await memory.sync();
    }
    const places = ["--workspace", workspace, "--state-dir", stateDir];
    // Otherwise every server says that the workspace is not trusted.
    runToEndMs([builtCommand, "trust", ...places]);
    const argv = [builtCommand, "mcp", ...places];
    const starts = await medianInTurns(2 * rounds, {
      mcp: async () => {
        const began = performance.now();
        const client = startClient(argv);
        await client.initialise();
        await client.search(query);
        const ms = performance.now() - began;
        await client.end();
        return ms;
      },
      empty: async () => runToEndMs(["-e", "0"]),
    });
    const following = await medianInTurns(
      2 * rounds,
      { second: () => measureNth(argv, 2), third: () => measureNth(argv, 3) },
      { warmUp: false },
    );
    const client = startClient(argv);
    await client.initialise();
    await using memory = await openMemory({ workspace, stateDir: join(folder, "state-of-library") });
    const { promise: watched, resolve } = Promise.withResolvers<void>();
    await memory.watch({ onEvent: ({ kind }) => kind === "synced" && resolve() });
    await watched;
    const calls = await medianInTurns(20 * rounds, {
      library: () => timeMs(() => memory.search(query)),
      mcp: () => timeMs(() => client.search(query)),
    });
    await client.end();
    const detail = `${noteCount.toLocaleString("en")} notes`;
    return {
      figures: {
        "mcp-start": { ours: starts.mcp, reference: starts.empty, detail },
        "mcp-second": { ours: following.second, reference: following.third, detail },
        "mcp-call": { ours: calls.mcp - calls.library, reference: calls.library, detail },
      },
    };
  });
}

/** The time of a server's nth search; every query is different. */
async function measureNth(argv: readonly string[], nth: number): Promise<number> {
  const client = startClient(argv);
  await client.initialise();
  for (let before = 1; before < nth; before++) await client.search(`${query} ${before}`);
  const ms = await timeMs(() => client.search(`${query} ${nth}`));
  await client.end();
  return ms;
}

function startClient(argv: readonly string[]) {
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
    initialise: () =>
      call("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "bench", version: "1" },
      }),
    search: (text: string) => call("tools/call", { name: "memory_search", arguments: { query: text } }),
    end: async () => {
      child.stdin.end();
      await once(child, "close");
    },
  };
}
