/** `longhand/embedders`: custom embedders, and those made from a model or provider that a program already has. */
export { type AiSdkEmbeddingModel, type FromAiSdkOptions, fromAiSdk } from "../embedders/ai-sdk-model.ts";
export type {
  EmbedDocumentsOptions,
  EmbeddedText,
  Embedder,
  EmbedderUsage,
  EmbedOptions,
  RefusedText,
  TextVectors,
} from "../embedders/embedder.ts";
export {
  type EmbeddingProvider,
  type FromEmbeddingProviderOptions,
  fromEmbeddingProvider,
} from "../embedders/embedding-provider.ts";
