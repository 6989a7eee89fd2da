import { describe } from "node:test";
import { checkDocuments } from "./contract/documents.ts";
import { createCheck, type StoreFixture } from "./contract/fixture.ts";
import { checkHandles } from "./contract/handles.ts";
import { checkVectorCache } from "./contract/vector-cache.ts";
import { checkVectorHistory } from "./contract/vector-history.ts";
import { checkVectorSets } from "./contract/vector-sets.ts";
import { checkVectors } from "./contract/vectors.ts";
import { checkWords } from "./contract/words.ts";
import { checkWriters } from "./contract/writers.ts";

export { contractTokens, type StoreFixture, type StoreFixtureOptions } from "./contract/fixture.ts";

export interface StoreContractOptions {
  /**
   * The store must index the tokens that `contractTokens` gives for a chunk's text, and nothing of its
   * headings and path.
   */
  readonly create: () => Promise<StoreFixture>;
}

/** Every promise of the Store interface, as tests for whoever keeps it. */
export function storeContract(name: string, { create }: StoreContractOptions): void {
  const check = createCheck(create);
  describe(`${name} as a store of documents`, () => checkDocuments(check));
  describe(`${name} as a store of words`, () => checkWords(check));
  describe(`${name} as a store of vectors`, () => {
    checkVectors(check);
    checkVectorCache(check);
    checkVectorSets(check);
    checkVectorHistory(create);
  });
  describe(`${name} as a store that many use`, () => {
    checkHandles(check, create);
    checkWriters(check);
  });
}
