import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { makeTerms } from "../../test/support/query-term.ts";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import type { ChunkFilter, StoredChunk } from "../stores/store.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import type { NamedQuery } from "./find-candidates.ts";
import { createNamedFile, fileNamesIn, readNamedNotes } from "./named-notes.ts";
import type { Passage } from "./passages.ts";
import { readQueryWords } from "./query-words.ts";

test("A file is named by its name with the extension, its path, or a query of nothing else", () => {
  for (const [query, path] of [
    ["what does deploy-runbook.md say about rollback?", "memory/deploy-runbook.md"],
    ["open memory/2025-03-04.md", "memory/2025-03-04.md"],
    ["memory/plans/june.md, the part about rollback", "memory/plans/june.md"],
    ["open ./memory/2025-03-04.md, please", "memory/2025-03-04.md"],
    ["show /home/me/notes/memory/plans.md", "memory/plans.md"],
    ["roadmap q3.md", "memory/plans/roadmap q3.md"],
    ["Roadmap Q3", "memory/plans/roadmap-q3.md"],
    ["What do we know about Roadmap Q3?", "memory/plans/roadmap-q3.md"],
    ["read `DEPLOY-Runbook.md`.", "memory/deploy-runbook.md"],
    ["memory/plans/roadmap-q3", "memory/plans/roadmap-q3.md"],
    ["旅行.md", "memory/旅行.md"],
  ] as const) {
    assert.equal(createNamedFile(query)(path), "exact", query);
  }
});

test("A name without its extension counts less", () => {
  assert.equal(
    createNamedFile("who wrote the deploy-runbook last year?")("memory/deploy-runbook.md"),
    "stem",
  );
});

test("Parts of names, other paths and plain words name nothing", () => {
  for (const [query, path] of [
    ["what does old-deploy-runbook.md say?", "memory/deploy-runbook.md"],
    ["open archive/plans.md", "memory/plans.md"],
    ["plans.md.bak", "memory/plans.md"],
    ["what are the plans for June?", "memory/plans.md"],
    ["what happened in 2025-03", "memory/2025-03.md"],
    ["", "memory/plans.md"],
  ] as const) {
    assert.equal(createNamedFile(query)(path), null, query);
  }
});

test("Names with an extension are found in a sentence", () => {
  assert.deepEqual(fileNamesIn("compare memory/a-b.md and “c.markdown”, not d.mdx"), [
    "a-b.md",
    "c.markdown",
  ]);
});

const analyzer = createAnalyzer();

const read = (query: string) =>
  readNamedNotes(query, readQueryWords(query, analyzer), { analyzer, today: "2026-11-19" });

suite("Queries that find the named notes among many", () => {
  const isName = ({ tokens }: NamedQuery): boolean => tokens.every((token) => token.startsWith("="));
  const ask = (query: string, filter: ChunkFilter = {}, tokens = ["heron"]) =>
    read(query)
      .queries(tokens, filter)
      .filter((each) => !isName(each));

  test("ask for the whole query as a name, and for what its question is about", () => {
    const names = (query: string) => read(query).queries(["heron"], { pathGlob: "a/**" }).filter(isName);
    const named = (...tokens: string[]) => [{ tokens, filter: { pathGlob: "a/**" } }];
    assert.deepEqual(names("Release-Checklist"), named("=release.checklist"));
    assert.deepEqual(names("who is Anna K.?"), named("=who.is.anna.k", "=anna.k"));
    assert.deepEqual(names("2025-03-04"), []);
    assert.deepEqual(names("x".repeat(100)), []);
  });

  test("ask for the words on the named day, and not for a day of no year", () => {
    const day = { since: "2025-03-04", until: "2025-03-04" };
    assert.deepEqual(ask("heron on 2025-03-04"), [{ tokens: ["heron"], filter: day }]);
    assert.deepEqual(ask("heron on 2025-03-04", {}, []), []);
    assert.deepEqual(ask("heron on 4 March"), []);
    assert.deepEqual(ask("heron"), []);
  });

  test("ask for the words in the last two such months, and for the month itself if nothing else is asked", () => {
    const months = ["2026-03", "2025-03"].map((month) => ({ since: `${month}-01`, until: `${month}-31` }));
    assert.deepEqual(
      ask("heron in March"),
      months.map((filter) => ({ tokens: ["heron"], filter })),
    );
    assert.deepEqual(ask("heron in March", {}, []), []);
    assert.deepEqual(ask("in March", {}, []), [
      { tokens: ["2026.03"], filter: months[0] },
      { tokens: ["2025.03"], filter: months[1] },
    ]);
  });

  test("keep to the dates and to the rest of the filter", () => {
    const found = (filter: ChunkFilter) => ask("heron in March", filter).map((query) => query.filter);
    assert.deepEqual(found({ since: "2026-03-10", until: "2026-03-20", pathGlob: "a/**" }), [
      { since: "2026-03-10", until: "2026-03-20", pathGlob: "a/**" },
    ]);
    assert.deepEqual(found({ since: "2026-03-31" }), [{ since: "2026-03-31", until: "2026-03-31" }]);
    assert.deepEqual(found({ since: "2026-04-01" }), []);
    assert.deepEqual(found({ until: "2025-03-01" }), [{ since: "2025-03-01", until: "2025-03-01" }]);
  });

  test("ask for all words of a file name, with their joined forms", () => {
    const [query, ...others] = ask("what is in memory/release-checklist.md?", { pathGlob: "a/**" });
    assert.deepEqual(others, []);
    assert.deepEqual(query?.filter, { pathGlob: "a/**" });
    assert.deepEqual(
      ["releas", "checklist", "heron"].map((token) => query?.tokens.includes(token)),
      [true, true, false],
    );
  });
});

suite("Passages of the named notes rise", () => {
  const passage = (chunk: Partial<StoredChunk>, score = 0.5, contributions = [0.2, 0.1]): Passage => ({
    chunk: makeChunk({ text: "The heron.", ...chunk }),
    lines: { start: 1, end: 1 },
    ...{ score, isMatched: true, contributions, occurrences: [1, 1] },
  });
  const scores = (query: string, passages: readonly Passage[], terms = makeTerms("heron march")) =>
    read(query)
      .lift(passages, terms)
      .map(({ score }) => Math.round(score * 10_000) / 10_000);

  test("most for the name of the file, then for its day, and least for a name within a sentence", () => {
    const named = [passage({ path: "memory/deploy-runbook.md" }), passage({ path: "memory/b.md" })];
    assert.deepEqual(scores("what does deploy-runbook.md say of herons", named), [0.9, 0.5]);
    assert.deepEqual(scores("who wrote the deploy-runbook of herons", named), [0.6, 0.5]);
    const dated = [passage({ date: "2025-03-04" }), passage({ date: "2025-03-05" }), passage({})];
    assert.deepEqual(scores("herons on 2025-03-04", dated), [0.675, 0.5, 0.5]);
    assert.deepEqual(scores("on 2025-03-04", dated), [0.9, 0.5, 0.5]);
  });

  test("for a month those of the last year that has it, as if they named the month", () => {
    const [named, unnamed] = [
      [0.2, 0.3],
      [0.2, 0.1],
    ];
    const months = [
      passage({ date: "2026-03-08" }, 0.4, unnamed),
      passage({ date: "2025-03-08" }, 0.4, unnamed),
      passage({ date: "2026-12-01" }, 0.4, unnamed),
      passage({}, 0.6, named),
    ];
    // 0.4 + (0.3 - 0.1), and 0.35 of what is missing to 1.
    assert.deepEqual(scores("herons in March", months), [0.74, 0.4, 0.4, 0.6]);
    assert.deepEqual(scores("herons in December", months, makeTerms("heron december")), [0.4, 0.4, 0.4, 0.6]);
    assert.deepEqual(
      scores("herons in March", [passage({ date: "2026-03-08" }, 0.95, unnamed), months[3]!]),
      [1, 0.6],
    );
  });
});
