/**
 * `longhand/testing`: the promises of the interfaces as test suites, for those who write a store, a source or an embedder.
 * They run on `node:test`: import them in a test file and call them with what opens yours.
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
