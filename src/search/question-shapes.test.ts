import assert from "node:assert/strict";
import { test } from "node:test";
import { openSearchFixture } from "../../test/support/search-fixture.ts";

test("A hit that ends with the question extends to the answer, in every form of conversation", async (t) => {
  const forms: readonly ((name: string, text: string) => string)[] = [
    (name, text) => `${name}: ${text}`,
    (name, text) => `[10:02] ${name}: ${text}`,
    (name, text) => `**${name}**\n${text}\n`,
    (name, text) => `- **${name}:** ${text}`,
  ];
  const talk = (form: (typeof forms)[number], answer: string): string =>
    [
      ...Array.from({ length: 12 }, () =>
        form("Ines", "That sounds good to me, let us see how the week goes."),
      ),
      form("Tomas", "Where did you park the van?"),
      form("Ines", "Hm, wait."),
      form("Ines", answer),
      ...Array.from({ length: 12 }, () => form("Tomas", "The weather is supposed to turn on Thursday.")),
    ].join("\n");
  const { search } = await openSearchFixture(
    t,
    Object.fromEntries(forms.map((form, i) => [`memory/talk-${i}.md`, talk(form, `Behind bakery ${i}.`)])),
  );
  const { results } = await search("where was the van parked");
  assert.equal(results.length, forms.length);
  for (const { path, snippet } of results) assert.match(snippet, /Behind bakery \d/, path);
});

test("A note's own day beats a note that links to it", async (t) => {
  const day = (date: string, text: string) => ({ text, date });
  const { search } = await openSearchFixture(t, {
    "memory/2025-03-03.md": day("2025-03-03", "[[2025-03-02]] | [[2025-03-04]]\n\nCleaned the bicycle."),
    "memory/2025-03-04.md": day("2025-03-04", "[[2025-03-03]] | [[2025-03-05]]\n\nPlanted two apple trees."),
    "memory/2025-03-05.md": day("2025-03-05", "<< [[2025-03-04]] >>\n\nRested all of the day."),
    "memory/plans.md": "Look at 2025-03-04 again: the offer for the roof of 4 March 2025 ends then.",
  });
  for (const query of ["what did I do on 4 March 2025", "what did I do on March 4th, 2025?", "2025-03-04"]) {
    const { results } = await search(query);
    assert.equal(results[0]?.path, "memory/2025-03-04.md", query);
    assert.match(results[0].snippet, /^Planted two apple trees/, query);
  }
});

test("A file that the query names comes first", async (t) => {
  const { search } = await openSearchFixture(t, {
    "memory/deploy-runbook.md": "# Steps\n\nTag, build, wait. A rollback takes a minute.",
    "memory/incidents.md": "The rollback of the deploy went wrong: rollback, runbook, rollback again.",
    "memory/plans/roadmap q3.md": "Tablets first, printers later.",
    "memory/plans/index.md": "The roadmap for q3 and the roadmap for q4 are in this folder. Roadmap!",
    "memory/2025-03-04.md": { text: "Planted apple trees.", date: "2025-03-04" },
    "memory/notes.md": "See 2025-03-04.md for trees, see memory/2025-03-04.md for apples.",
  });
  for (const [query, path] of [
    ["what does deploy-runbook.md say about rollback", "memory/deploy-runbook.md"],
    ["deploy-runbook.md", "memory/deploy-runbook.md"],
    ["roadmap q3.md", "memory/plans/roadmap q3.md"],
    ["roadmap q3", "memory/plans/roadmap q3.md"],
    ["open memory/2025-03-04.md", "memory/2025-03-04.md"],
  ]) {
    const { results } = await search(query!);
    assert.equal(results[0]?.path, path, query);
  }
});

test("Front matter is searched, and shown only if nothing else matches", async (t) => {
  const { search } = await openSearchFixture(t, {
    "memory/incident-14.md":
      "---\nincident: 14\ntags: [messages, late]\nseverity: high\n---\n\n# Text messages\n\nThe text messages were late because the queue was full.",
    "memory/other.md": "Messages about nothing.",
  });
  const [first] = (await search("why were the text messages late")).results;
  assert.equal(first?.path, "memory/incident-14.md");
  assert.ok(!first.snippet.includes("---") && first.snippet.includes("queue was full"), first.snippet);
  const [tagged] = (await search("severity high")).results;
  assert.match(tagged!.snippet, /severity: high/);
});

test("Emoji are found alone and among words", async (t) => {
  const { search } = await openSearchFixture(t, {
    "memory/a.md": "Harvest of tomatoes 🍅 began.",
    "memory/b.md": "Release is out 🚀👍🏽",
    "memory/c.md": "Harvest of pears began.",
  });
  assert.deepEqual(
    (await search("🍅")).results.map(({ path }) => path),
    ["memory/a.md"],
  );
  assert.equal((await search("👍")).results[0]?.path, "memory/b.md");
  assert.equal((await search("harvest 🍅")).results[0]?.path, "memory/a.md");
  assert.deepEqual((await search("🧀")).results, []);
});

test("In a long query, repeated words count more", async (t) => {
  const filler =
    "I have been wondering since the meeting, where people spoke of budgets, visitors, parking, lunches, printers, " +
    "holidays, contracts, invoices, chairs, lamps, keys, curtains, batteries, " +
    "shelves, gloves, tickets, speakers and the newsletter, what we settled";
  const { search } = await openSearchFixture(t, {
    "memory/boiler.md": "The boiler is serviced each October.",
    "memory/mixed.md": "Budgets and visitors: see the newsletter.",
    "memory/more.md": "Printers, holidays and chairs were on the list.",
  });
  const question = `${filler} about the boiler: is the boiler old, does the boiler leak, was the boiler serviced, and when is the boiler serviced next?`;
  assert.equal((await search(question)).results[0]?.path, "memory/boiler.md");
});
