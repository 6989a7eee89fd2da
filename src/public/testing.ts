/**
 * `longhand/testing`: the contracts of the interfaces as test suites, for authors of a store, a source or an embedder.
 * They run on `node:test`: import them in a test file and pass a function that opens yours.
 */
export { type EmbedderContractOptions, embedderContract } from "../embedders/embedder.contract.ts";
export {
  type SourceContractOptions,
  type SourceFixture,
  sourceContract,
} from "../sources/source.contract.ts";
export {
  contractTokens,
  type StoreContractOptions,
  type StoreFixture,
  type StoreFixtureOptions,
  storeContract,
} from "../stores/store.contract.ts";
