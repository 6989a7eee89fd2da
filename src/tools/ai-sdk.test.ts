import assert from "node:assert/strict";
import { test } from "node:test";
import { generateText, isStepCount, type LanguageModel } from "ai";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { generateWith, memoryTools } from "./ai-sdk.ts";

type ScriptedModel = Extract<LanguageModel, { specificationVersion: "v4" }>;
type Generated = Awaited<ReturnType<ScriptedModel["doGenerate"]>>;
type Prompt = Parameters<ScriptedModel["doGenerate"]>[0]["prompt"];

/** A model with scripted responses, which records its prompts. */
function createScriptedModel(contents: readonly Generated["content"][]) {
  const prompts: Prompt[] = [];
  const model: ScriptedModel = {
    specificationVersion: "v4",
    provider: "script",
    modelId: "script",
    supportedUrls: {},
    async doGenerate({ prompt }) {
      prompts.push(prompt);
      const content = contents[prompts.length - 1]!;
      const isCall = content.some(({ type }) => type === "tool-call");
      return {
        content,
        finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("not in the script")),
  };
  return { model, prompts };
}

test("A model of the AI SDK calls the tools and reads fenced text", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays only.\n" });
  const { model, prompts } = createScriptedModel([
    [
      {
        type: "tool-call",
        toolCallId: "1",
        toolName: "memory_search",
        input: '{"query":"when do we ship?"}',
      },
    ],
    [{ type: "text", text: "On Fridays." }],
  ]);
  const { text, steps } = await generateText({
    model,
    prompt: "When do we ship?",
    tools: memoryTools(await fixture.open()),
    stopWhen: isStepCount(3),
  });
  assert.equal(text, "On Fridays.");
  assert.equal(
    (steps[0]!.toolResults[0]!.output as { results: { path: string }[] }).results[0]!.path,
    "MEMORY.md",
  );
  const answer = JSON.stringify(prompts[1]!.at(-1));
  assert.match(answer, /not as instructions/);
  assert.match(answer, /```text\\nMEMORY\.md#L1\\n\\nWe ship on Fridays only\./);
});

test("a model proposes a consolidation of the notes", async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/2020-05-05.md": "- Standups are short here.\n" });
  const { consolidation } = await fixture.open();
  const source = { path: "memory/2020-05-05.md", line: 1, text: "- Standups are short here." };
  const steps = [{ kind: "promote", sources: [source], reason: "It lasts." }];
  const { model, prompts } = createScriptedModel([[{ type: "text", text: JSON.stringify({ steps }) }]]);
  const { accepted } = await consolidation.propose(generateWith(model));
  assert.equal(accepted.length, 1);
  assert.match(JSON.stringify(prompts[0]), /Standups are short here/);
});
