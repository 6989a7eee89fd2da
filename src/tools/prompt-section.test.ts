import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryPromptSection } from "./prompt-section.ts";

const all = ["memory_search", "memory_get", "memory_add", "memory_forget"];

test("The section is only in a full prompt with a memory tool", () => {
  assert.match(memoryPromptSection({ mode: "full", tools: all }), /^## Memory Recall\n/);
  for (const mode of ["minimal", "none", ""]) assert.equal(memoryPromptSection({ mode, tools: all }), "");
  assert.equal(memoryPromptSection({ mode: "full", tools: [] }), "");
  assert.equal(memoryPromptSection({ mode: "full", tools: ["web_search"] }), "");
});

test("It names only tools that the agent has", () => {
  for (const tools of all.map((_, i) => all.filter((_, j) => j !== i)).concat(all.map((name) => [name]))) {
    const section = memoryPromptSection({ mode: "full", tools });
    for (const name of all) {
      if (!tools.includes(name)) assert.ok(!section.includes(name), `${name} in ${tools}`);
    }
    assert.ok(
      tools.some((name) => section.includes(name)),
      `${tools} are named`,
    );
  }
});

test("It asks for citations only if hits carry them", () => {
  assert.match(memoryPromptSection({ mode: "full", tools: all, citations: "on" }), /Cite the notes/);
  assert.doesNotMatch(memoryPromptSection({ mode: "full", tools: all, citations: "off" }), /citation/);
  const auto = (sessionKey: string) =>
    memoryPromptSection({ mode: "full", tools: all, citations: "auto", sessionKey });
  assert.match(auto("agent:main:main"), /Cite the notes/);
  assert.doesNotMatch(auto("agent:main:chat:group:7"), /citation/);
});

test("Only with the entries plugin does the section say when to recall and store facts", () => {
  const tools = ["memory_search", "memory_recall", "memory_store", "memory_forget"];
  const section = memoryPromptSection({ mode: "full", tools });
  for (const tool of tools) assert.match(section, new RegExp(tool));
  assert.doesNotMatch(memoryPromptSection({ mode: "full", tools: ["memory_search"] }), /recall |store/);
  assert.notEqual(memoryPromptSection({ mode: "full", tools: ["memory_recall"] }), "");
});

test("A section without tool names is refused with a clear error", () => {
  const make = (options: object) => () => memoryPromptSection(options as never);
  const refused = (message: RegExp) => ({ code: "not-supported", message });
  assert.throws(make({}), refused(/memoryPromptSection needs its option mode: "full"/));
  assert.throws(make({ mode: "full" }), refused(/needs its option tools: the names of the agent's tools\./));
  assert.throws(
    make({ mode: "full", tools: [{ name: "memory_search" }] }),
    refused(/option tools: it must be a list of strings, not a list of other things\./),
  );
});
