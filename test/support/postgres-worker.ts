/**
 * One of several processes that share a memory in a database, in place of machines: adds entries, searches for them,
 * syncs. Prints each acknowledged entry as a line of JSON. Runs until it reads a line from standard input.
 *
 *     node test/support/postgres-worker.ts WORKSPACE STATE URL NAME
 */

import { LonghandError } from "../../src/errors.ts";
import { openMemory } from "../../src/memory/open-memory.ts";

const [workspace, stateDir, url, name] = process.argv.slice(2) as [string, string, string, string];
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
const memorySearch = { store: { driver: "postgres" as const, url }, query: { minScore: 0 } };
const memory = await openMemory({
  workspace,
  stateDir,
  agent: "shared",
  config: { agents: { defaults: { memorySearch } } },
});
let isOver = false;
process.stdin.once("data", () => {
  isOver = true;
});

for (let step = 0; !isOver; step++) {
  const word = `entry${name}${[...String(step)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`;
  const { indexed } = await memory.add(`The ${word} was written here.`, { to: `memory/worker-${name}.md` });
  say({ added: word, indexed });
  try {
    const { results, stale } = await memory.search(word);
    const isFound = results.some(({ snippet }) => snippet.includes(word));
    say({ searched: word, isFound, stale });
    if (step % 5 === 4) await memory.sync({ reason: "load" });
  } catch (error) {
    const { code, retryable, message } = error as LonghandError;
    say({ failed: word, code, retryable: error instanceof LonghandError && retryable, message });
  }
}
await memory.close();
say({ closed: name });
process.exit(0);
