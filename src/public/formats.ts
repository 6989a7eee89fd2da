/** `longhand/formats`: tool definitions in the formats of model APIs. See docs/sdks.md. */
export {
  anthropicTools,
  geminiTools,
  mcpTools,
  type OpenSchema,
  openAiResponsesTools,
  openAiTools,
} from "../tools/schema-formats.ts";
