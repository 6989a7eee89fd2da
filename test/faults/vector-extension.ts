import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { createConceptEmbedder } from "../support/concept-embedder.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const vectorExtension: Fault = {
  name: "vector-extension",
  what: "sqlite-vec is missing, a folder, a text, cut in half, or works: the same answers, and one line in the status",
  shortCycles: 6,
  longCycles: 12,
  run: runVectorExtension,
};

async function runVectorExtension(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder);
  const at = (name: string): string => join(options.folder, name);
  mkdirSync(at("folder.so"));
  writeFileSync(at("text.so"), "This is not a library.\n");
  const library = readFileSync(getLoadablePath());
  writeFileSync(at("half.so"), library.subarray(0, Math.floor(library.length / 2)));
  writeFileSync(at("empty.so"), "");
  const paths = [
    at("missing.so"),
    at("folder.so"),
    at("text.so"),
    at("half.so"),
    at("empty.so"),
    getLoadablePath(),
  ];
  const ask = async (extensionPath?: string) => {
    const vector = extensionPath === undefined ? {} : { extensionPath };
    const config = { agents: { defaults: { memorySearch: { store: { vector } } } } };
    return await fixture.use(
      async (memory) => {
        const { results } = await memory.search("garden invoice of the harbour");
        return {
          hits: results.map(({ path, startLine }) => `${path}:${startLine}`).join(),
          status: await memory.status(),
        };
      },
      // An embedder with one vector per text, because only then is the extension used.
      { config, embedder: createConceptEmbedder() },
    );
  };
  const { hits } = await ask();
  for (const cycle of tally.cycles(options)) {
    const path = paths[cycle % paths.length]!;
    try {
      const answer = await ask(path);
      if (answer.hits !== hits) tally.divergences.push(`${path}: ${answer.hits} instead of ${hits}`);
      const isTold = JSON.stringify(answer.status.vector).includes("loadError");
      if (isTold === (path === getLoadablePath()))
        tally.errors.push(`${path}: ${JSON.stringify(answer.status.vector)}`);
    } catch (error) {
      tally.errors.push(`${path}: ${describeError(error)}`);
    }
  }
  await fixture.compare(tally, "at the end");
  return tally.result();
}
