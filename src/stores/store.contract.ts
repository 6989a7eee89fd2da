import { describe } from "node:test";
import { checkDocuments } from "./contract/documents.ts";
import { createCheck, hasCache, type StoreFixture } from "./contract/fixture.ts";
import { checkHandles } from "./contract/handles.ts";
import { checkVectorCache } from "./contract/vector-cache.ts";
import { checkVectorHistory, checkVectorSets } from "./contract/vector-sets.ts";
import { checkVectors } from "./contract/vectors.ts";
import { checkWords } from "./contract/words.ts";
import { checkWriters, hasState } from "./contract/writers.ts";
import { hasVectors } from "./store.ts";

export { contractTokens, type StoreFixture, type StoreFixtureOptions } from "./contract/fixture.ts";

export interface StoreContractOptions {
  /**
   * Documents come with their tokens, as they do in use. A store that analyzes text itself must index what
   * `contractTokens` returns for a chunk's text, and nothing of its headings and path.
   */
  readonly create: () => Promise<StoreFixture>;
}

/** Tests of every promise of the Store interface, for its implementers. */
export function storeContract(name: string, { create }: StoreContractOptions): void {
  const check = createCheck(create);
  const checkVector = createCheck(create, { name: "vectors", isOf: hasVectors });
  const checkCache = createCheck(create, { name: "cache of vectors", isOf: hasCache });
  const checkWriter = createCheck(create, { name: "document state", isOf: hasState });
  describe(`${name} as a store of documents`, () => checkDocuments(check));
  describe(`${name} as a store of words`, () => checkWords(check));
  describe(`${name} as a store of vectors`, () => {
    checkVectors(checkVector);
    checkVectorCache(checkCache);
    checkVectorSets(checkCache);
    checkVectorHistory(create);
  });
  describe(`${name} as a store that many use`, () => {
    checkHandles(check, create);
    checkWriters(checkWriter);
  });
}
