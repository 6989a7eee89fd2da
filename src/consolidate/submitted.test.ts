import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import type { SubmittedStep } from "./consolidation.ts";
import { readProposal } from "./propose.ts";

const notes = {
  "MEMORY.md": "# Memory\n\n- Parcels go to the boathouse.\n",
  "memory/2026-03-02.md":
    "- Parcels: second door of the boathouse, knock.\n- The token is ghp_0123456789abcdefghijABCDEFGHIJ012345.\n",
  "memory/2026-03-03.md": "- We never ship on Fridays.\n",
};
const now = () => new Date("2026-03-20T12:00:00Z");
const parcels: SubmittedStep = {
  kind: "merge",
  sources: [
    { path: "MEMORY.md", line: 3, text: "- Parcels go to the boathouse." },
    { path: "memory/2026-03-02.md", line: 1, text: "Parcels: second door of the boathouse, knock." },
  ],
  text: "Parcels go to the boathouse, second door: knock.",
  reason: "Both say where parcels go.",
};

test("a valid step of a model becomes part of the plan, and is applied and undone like any other", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const { consolidation } = await fixture.open({ now });
  const { accepted, refused } = await consolidation.submit([parcels]);
  assert.deepEqual(refused, []);
  const { steps } = await consolidation.plan();
  assert.deepEqual(
    steps.filter(({ by }) => by === "model").map(({ id }) => id),
    accepted,
  );
  await consolidation.apply({ steps: accepted });
  assert.equal(
    readFileSync(fixture.at("MEMORY.md"), "utf8"),
    "# Memory\n\n- Parcels go to the boathouse, second door: knock.\n",
  );
  await consolidation.undo();
  for (const [name, text] of Object.entries(notes))
    assert.equal(readFileSync(fixture.at(name), "utf8"), text);
});

test("a step without sources, or with added claims, is refused; one that drops something archives the original", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const { consolidation } = await fixture.open({ now });
  const [first, second] = parcels.sources;
  const refused: [Partial<SubmittedStep>, RegExp][] = [
    [{ sources: [first!, { ...second!, text: "Parcels go elsewhere." }] }, /does not say/],
    [{ sources: [first!, { ...second!, path: "memory/none.md" }] }, /no note/],
    [{ sources: [first!, { ...second!, path: "../../etc/passwd" }] }, /no note/],
    [{ sources: [first!] }, /two sources/],
    [{ sources: [first!, first!] }, /named twice/],
    [{ text: "Parcels go to the boathouse, not to the office." }, /"not"|"office"/],
    [{ text: "Parcels do not go to the boathouse." }, /"not"/],
    [{ text: "Send all parcels to Bob at the boathouse." }, /is in none/],
    [{ text: "" }, /new line/],
    [{ text: "a\nb" }, /one line/],
    [{ reason: " " }, /why/],
    [{ kind: "delete" as never }, /kind must be/],
    [{ kind: "promote", sources: [second!], to: "memory/other.md", text: second!.text }, /no note/],
    [{ kind: "supersede", sources: [first!] }, /older line/],
    [{ kind: "anchor", sources: [second!], text: "Parcels: 2026-03-02." }, /would be/],
  ];
  const result = await consolidation.submit(refused.map(([change]) => ({ ...parcels, ...change })));
  assert.deepEqual(result.accepted, []);
  for (const { index, reason } of result.refused) assert.match(reason, refused[index]![1]);
  assert.equal((await consolidation.submit([null, 7, "x", {}] as never)).refused.length, 4);

  const { accepted } = await consolidation.submit([{ ...parcels, text: "Parcels go to the boathouse." }]);
  await consolidation.apply({ steps: accepted });
  assert.match(
    readFileSync(fixture.at("memory/archive/superseded.md"), "utf8"),
    /second door of the boathouse, knock/,
  );
});

test("a step of a model on an older daily note waits while the plan starts later", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const { consolidation } = await fixture.open({ now });
  const { accepted } = await consolidation.submit([parcels]);
  const idsSince = async (since: string) => (await consolidation.plan({ since })).steps.map(({ id }) => id);
  assert.ok((await idsSince("2026-03-02")).includes(accepted[0]!));
  assert.ok(!(await idsSince("2026-03-03")).includes(accepted[0]!));
});

test("a program passes a model, which sees no secrets", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const { consolidation } = await fixture.open({ now });
  let asked = "";
  const result = await consolidation.propose(async (prompt) => {
    asked = prompt;
    return `Here you are:\n\`\`\`json\n${JSON.stringify({ steps: [parcels, { kind: "x" }] })}\n\`\`\`\n`;
  });
  assert.deepEqual([result.accepted.length, result.refused.length], [1, 1]);
  assert.match(asked, /MEMORY\.md:3: - Parcels go to the boathouse\./);
  assert.doesNotMatch(asked, /ghp_0123456789/);
  await assert.rejects(
    consolidation.propose(async () => "I cannot do that."),
    { code: "entry-invalid" },
  );
  assert.deepEqual(readProposal('[{"a":1}]'), [{ a: 1 }]);
});

test("agents get the tool only if the settings offer it, and never in shared sessions", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const off = await fixture.open({ now });
  const on = await fixture.open({ now, config: withMemorySearch({}, { tools: { consolidate: true } }) });
  const named = (tools: readonly { name: string }[]) => tools.some(({ name }) => name === "memory_plan");
  assert.equal(named(memoryTools(off)), false);
  assert.equal(named(memoryTools(on)), true);
  assert.equal(named(memoryTools(on, { access: "read" })), false);
  assert.equal(named(memoryTools(on, { sessionKey: `agent:${on.agentId}:x:group:1` })), false);
  const tool = memoryTools(on).find(({ name }) => name === "memory_plan")!;
  const answer = await tool.execute({ steps: [parcels, { ...parcels, text: "Ask Bob." }] });
  assert.match(tool.render(answer), /1 of 2 steps wait for review/);
  assert.match(tool.render(answer), /step 2: /);
});
