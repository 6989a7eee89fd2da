import assert from "node:assert/strict";
import { test } from "node:test";
import { anthropicTools, geminiTools, openAiResponsesTools, openAiTools } from "./schema-formats.ts";
import type { ObjectSchema } from "./tool.ts";

const inputSchema: ObjectSchema = {
  type: "object",
  properties: { query: { type: "string", minLength: 1 } },
  required: ["query"],
  additionalProperties: false,
};
const tools = [{ name: "memory_search", description: "Finds.", inputSchema }];

test("Each vendor gets the tool in the format of its API", () => {
  assert.deepEqual(openAiTools(tools), [
    { type: "function", function: { name: "memory_search", description: "Finds.", parameters: inputSchema } },
  ]);
  assert.deepEqual(anthropicTools(tools), [
    { name: "memory_search", description: "Finds.", input_schema: inputSchema },
  ]);
  assert.deepEqual(openAiResponsesTools(tools), [
    {
      type: "function",
      name: "memory_search",
      description: "Finds.",
      parameters: inputSchema,
      strict: false,
    },
  ]);
  assert.deepEqual(geminiTools(tools), [
    {
      functionDeclarations: [
        {
          name: "memory_search",
          description: "Finds.",
          parametersJsonSchema: { ...inputSchema, properties: { query: { type: "string" } } },
        },
      ],
    },
  ]);
});
