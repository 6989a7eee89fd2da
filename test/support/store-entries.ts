import { openMemory } from "../../src/memory/open-memory.ts";

/** Stores facts, and prints each when it is acknowledged. */
const [workspace = "", stateDir = "", name = "", count = ""] = process.argv.slice(2);
await using memory = await openMemory({
  workspace,
  stateDir,
  config: { plugins: { slots: { memory: "memory-lancedb" } } },
});
for (let number = 0; number < Number(count); number++) {
  const { text } = await memory.entries!.store({ text: `Fact of ${name} number ${number}.` });
  process.send?.(text);
}
await memory.entries!.store({ text: "A fact of all of them." });
process.disconnect?.();
