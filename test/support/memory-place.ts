import type { TestContext } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import type { Memory, OpenMemoryOptions } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

type MemorySearch = NonNullable<
  NonNullable<NonNullable<PartialConfig["agents"]>["defaults"]>["memorySearch"]
>;

export interface MemoryPlace {
  readonly workspace: string;
  readonly stateDir: string;
  /** The absolute path of something in the workspace. */
  at(name: string): string;
  write(name: string, text: string): string;
  /** Opens it once more; every memory is closed when the test ends. */
  open(options?: OpenMemoryOptions): Promise<Memory>;
}

/** A workspace with some notes and a state folder of its own, searched by word alone. */
export function makeMemoryPlace(t: TestContext, notes: Readonly<Record<string, string>> = {}): MemoryPlace {
  const folder = makeTemporaryFolder(t);
  const workspace = folder.makeFolder("notes");
  const stateDir = folder.at("state");
  for (const [name, text] of Object.entries(notes)) folder.write(`notes/${name}`, text);
  return {
    workspace,
    stateDir,
    at: (name) => folder.at(`notes/${name}`),
    write: (name, text) => folder.write(`notes/${name}`, text),
    async open(options = {}) {
      const memory = await openMemory({ workspace, stateDir, config: withMemorySearch({}), ...options });
      t.after(() => memory.close());
      return memory;
    },
  };
}

/** The floor is 0, so that tests do not depend on scores, and words decide alone, so that a hit has one of them. */
export function withMemorySearch(memorySearch: MemorySearch, rest: PartialConfig = {}): PartialConfig {
  const query = { minScore: 0, ...memorySearch.query };
  return { ...rest, agents: { defaults: { memorySearch: { provider: "none", ...memorySearch, query } } } };
}
