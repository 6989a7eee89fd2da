/**
 * The promises of the interfaces as test suites, for those who write a store or an embedder of their own. They run on
 * `node:test`: import them in a test file and call them with what opens yours.
 */
export { type EmbedderContractOptions, testEmbedder } from "./embedders/embedder.contract.ts";
export {
  contractTokens,
  type StoreContractOptions,
  type StoreFixture,
  type StoreFixtureOptions,
  testStore,
} from "./stores/store.contract.ts";
