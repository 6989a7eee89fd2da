import type { TestContext } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import type { Memory, OpenMemoryOptions } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

type MemorySearch = NonNullable<
  NonNullable<NonNullable<PartialConfig["agents"]>["defaults"]>["memorySearch"]
>;

export interface MemoryFixture {
  readonly workspace: string;
  readonly stateDir: string;
  /** The absolute path of a file in the workspace. */
  at(name: string): string;
  write(name: string, text: string): string;
  /** Opens another memory on it; all are closed when the test ends. */
  open(options?: OpenMemoryOptions): Promise<Memory>;
}

/** A workspace with some notes and its own state folder, with keyword search only. */
export function makeMemoryFixture(
  t: TestContext,
  notes: Readonly<Record<string, string>> = {},
): MemoryFixture {
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

/**
 * The minimum score is 0, so that tests do not depend on scores, and there is only keyword search, so that a hit contains
 * a word of the query. Searches wait as long as possible, so that a busy machine does not make an answer stale; tests of
 * waiting set their own time.
 */
export function withMemorySearch(memorySearch: MemorySearch, rest: PartialConfig = {}): PartialConfig {
  const query = { minScore: 0, vectorWaitMs: 600_000, ...memorySearch.query };
  const sync = { searchWaitMs: 60_000, ...memorySearch.sync };
  const settings: MemorySearch = { provider: "none", ...memorySearch, query, sync };
  return { ...rest, agents: { defaults: { memorySearch: settings } } };
}
