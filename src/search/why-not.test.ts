import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openSearchFixture, type SearchFixture } from "../../test/support/search-fixture.ts";
import type { SearchOptions, WhyNot } from "./search.ts";

const notes = {
  "MEMORY.md": { text: "# Memory\n\nThe quokka is our mascot.\n", scope: "private" },
  "memory/2026-03-01.md": { text: "# Sunday\n\nThe quokka came to the office.\n", date: "2026-03-01" },
  "memory/ideas.md": "# Ideas\n\nA dashboard for water levels.\n",
} as const;

async function ask(
  { search }: Pick<SearchFixture, "search">,
  whyNot: string,
  options: SearchOptions & { readonly query?: string } = {},
): Promise<WhyNot> {
  const { query = "quokka", ...rest } = options;
  const { whyNot: reason } = await search(query, { ...rest, whyNot });
  assert.ok(reason);
  assert.match(reason.reason, /\.$/, "a whole sentence");
  return reason;
}

suite("explainWhyNot", () => {
  test("says in which hit a line was returned", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    const reason = await ask(fixture, "MEMORY.md:3");
    assert.equal(reason.stage, "returned");
    assert.match(reason.reason, /hit [12]\b/);
    assert.deepEqual([reason.path, reason.line], ["MEMORY.md", 3]);
  });

  test("accepts citations, of one line or of several", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    for (const written of ["MEMORY.md:3", "MEMORY.md#L3", "MEMORY.md#L3-L9", "MEMORY.md:3-9"]) {
      assert.equal((await ask(fixture, written)).line, 3, written);
    }
  });

  test("refuses a place without a line", async (t) => {
    const { search } = await openSearchFixture(t, notes);
    for (const whyNot of [
      "",
      "MEMORY.md",
      "MEMORY.md:",
      ":3",
      "MEMORY.md:0",
      "MEMORY.md:x",
      "MEMORY.md:99999999999999999",
    ]) {
      await assert.rejects(search("quokka", { whyNot }), { code: "query-invalid" }, whyNot);
    }
  });

  test("says that a note, or a line of it, is not in the index", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    for (const where of ["memory/nowhere.md:1", "memory/ideas.md:2000"]) {
      assert.equal((await ask(fixture, where)).stage, "not-indexed", where);
    }
  });

  test("says that a filter left the note out", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    const filters: SearchOptions[] = [
      { source: "sessions" },
      { since: "2026-03-02" },
      { until: "2026-02-28" },
      { path: "memory/i*.md" },
    ];
    for (const filter of filters) {
      assert.equal(
        (await ask(fixture, "memory/2026-03-01.md:3", filter)).stage,
        "filtered",
        JSON.stringify(filter),
      );
    }
    for (const filter of [{ since: "2026-01-01" }, { sessionKey: "agent:main:slack:group:1" }]) {
      assert.equal((await ask(fixture, "MEMORY.md:3", filter)).stage, "filtered", JSON.stringify(filter));
    }
    assert.equal(
      (await ask(fixture, "memory/2026-03-01.md:3", { since: "2026-03-01", until: "2026-03-01" })).stage,
      "returned",
    );
  });

  test("says that none of the query's words occurs", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    const reason = await ask(fixture, "memory/ideas.md:3");
    assert.equal(reason.stage, "no-matching-word");
    assert.match(reason.reason, /quokka/);
    const nothing = await ask(fixture, "memory/ideas.md:3", { query: "?!" });
    assert.equal(nothing.stage, "no-matching-word");
  });

  test("says that the score was below the floor", async (t) => {
    const fixture = await openSearchFixture(t, notes);
    const reason = await ask(fixture, "memory/2026-03-01.md:3", {
      query: "quokka zyzzyva xylophone",
      minScore: 0.9,
    });
    assert.equal(reason.stage, "below-floor");
    assert.match(reason.reason, /0\.9/);
  });

  test("says that other chunks matched better, or filled the list", async (t) => {
    const crowd = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`memory/n${i}.md`, `# Note ${i}\n\nquokka quokka quokka\n`]),
    );
    const fixture = await openSearchFixture(t, {
      ...crowd,
      "memory/last.md": `# Last\n\n${"other things are told here. ".repeat(40)}\n\nOne quokka.\n`,
    });
    assert.equal((await ask(fixture, "memory/last.md:5", { maxResults: 2 })).stage, "not-a-candidate");
    assert.equal((await ask(fixture, "memory/last.md:5", { maxResults: 20 })).stage, "below-limit");
    assert.equal((await ask(fixture, "memory/last.md:5", { maxResults: 40 })).stage, "returned");
  });

  test("says that the line is outside the best lines of its chunk", async (t) => {
    const filler = Array.from(
      { length: 12 },
      (_, i) => `- item ${i} about ${"this and that ".repeat(7)}`,
    ).join("\n");
    const fixture = await openSearchFixture(t, {
      "memory/long.md": `# Long\n\nThe quokka is here.\n\n${filler}\n`,
    });
    const reason = await ask(fixture, "memory/long.md:15");
    assert.ok(["merged", "returned"].includes(reason.stage), reason.stage);
    const crowd = await openSearchFixture(t, {
      "memory/best.md": "# Best\n\nquokka quokka\n",
      "memory/also.md": "# Also\n\nquokka quokka\n",
      "memory/more.md": "# More\n\nquokka quokka\n",
      "memory/long.md": `# Long\n\nThe quokka is here.\n\n${filler}\n`,
    });
    assert.equal((await ask(crowd, "memory/long.md:15")).stage, "merged", "a later hit is narrower");
  });
});
