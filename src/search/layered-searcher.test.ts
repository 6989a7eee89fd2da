import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openSearchFixture, searchSettings } from "../../test/support/search-fixture.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { createLayeredSearcher, type OpenUserLayer, type UserLayer } from "./layered-searcher.ts";

const ofProject = {
  "MEMORY.md": { text: "# Memory\n\nThe heron ships on Fridays.\n", scope: "private" },
  "memory/log.md": "# Log\n\nThe heron moved to port 5433.\n",
} as const;
const ofUser = {
  "MEMORY.md": { text: "# About me\n\nI like the heron best.\n", scope: "private" },
  "memory/log.md": "# Reading\n\nA heron in the reeds.\n",
} as const;

async function makeLayers(
  t: TestContext,
  {
    layer = {},
    settings = {},
    open,
  }: { layer?: Partial<UserLayer>; settings?: object; open?: OpenUserLayer } = {},
) {
  const [project, user] = [await openSearchFixture(t, ofProject), await openSearchFixture(t, ofUser)];
  const asked = { opened: 0, days: [] as string[] };
  const day = (owner: string) => (path: string) => {
    asked.days.push(`${owner} ${path}`);
    return owner === "user" ? "2026-11-14" : "2020-01-01";
  };
  const opened: OpenUserLayer = async () => ({
    store: user.store,
    freshen: async () => ({ stale: false, degraded: [] }),
    dayModified: day("user"),
    pendingRemovals: async () => new Set(),
    ...layer,
  });
  const searcher = createLayeredSearcher(
    {
      store: project.store,
      analyzer: createAnalyzer(),
      settings: { ...searchSettings, ...settings },
      today: () => "2026-11-15",
      dayModified: day("project"),
    },
    () => {
      asked.opened += 1;
      return (open ?? opened)();
    },
  );
  const find = async (request?: Parameters<typeof searcher.search>[1]) => {
    const { results } = await searcher.search("heron", request);
    return results.map(({ path, layer }) => `${layer} ${path}`).sort();
  };
  return { ...searcher, find, asked };
}

suite("createLayeredSearcher", () => {
  test("finds the notes of both memories and says whose each is", async (t) => {
    const { find } = await makeLayers(t);
    assert.deepEqual(await find(), [
      "project MEMORY.md",
      "project memory/log.md",
      "user user:MEMORY.md",
      "user user:memory/log.md",
    ]);
  });

  test("does not open the user's memory for the project scope and for shared sessions", async (t) => {
    const { find, asked } = await makeLayers(t);
    const all = ["undefined MEMORY.md", "undefined memory/log.md"];
    assert.deepEqual(await find({ scope: "project" }), all);
    assert.deepEqual(await find({ sessionKey: "agent:main:slack:group:team" }), all.slice(1));
    assert.equal(asked.opened, 0);
    assert.equal((await find({ sessionKey: "agent:main:main" })).length, 4);
    assert.equal(asked.opened, 1);
  });

  test("leaves out a note of the user that has vanished, not the project's of the same name", async (t) => {
    const { find } = await makeLayers(t, {
      layer: { pendingRemovals: async () => new Set(["memory/log.md"]) },
    });
    assert.deepEqual(await find(), ["project MEMORY.md", "project memory/log.md", "user user:MEMORY.md"]);
  });

  test("reports what is stale or degraded in the user's memory before that in the project's", async (t) => {
    const freshen: UserLayer["freshen"] = async () => ({
      stale: true,
      degraded: ["the user's index is old"],
    });
    const { search } = await makeLayers(t, { layer: { freshen } });
    const answer = await search("?!");
    assert.equal(answer.stale, true);
    assert.deepEqual(answer.degraded, ["the user's index is old", "the query has no words to look for"]);
    assert.equal((await (await makeLayers(t)).search("heron")).stale, false);
  });

  test("searches the project alone if there is no user memory, and says so if it cannot be opened", async (t) => {
    const without = await makeLayers(t, { open: async () => null });
    assert.equal((await without.find()).length, 2);
    assert.deepEqual((await without.search("heron")).degraded, []);
    const broken = await makeLayers(t, {
      open: async () => {
        throw new Error("The disk is full.");
      },
    });
    assert.equal((await broken.find()).length, 2);
    assert.deepEqual((await broken.search("heron")).degraded, [
      "the user's memory cannot be searched: The disk is full.",
    ]);
  });

  test("dates an undated note by its own file, whichever memory it is in", async (t) => {
    const temporalDecay = { enabled: true, halfLifeDays: 30, undated: "modified" };
    const { search, asked } = await makeLayers(t, { settings: { temporalDecay } });
    const { results } = await search("heron");
    assert.deepEqual(new Set(asked.days), new Set(["user memory/log.md", "project memory/log.md"]));
    const log = results.filter(({ path }) => path.endsWith("log.md"));
    assert.equal(log[0]?.path, "user:memory/log.md", "the project's is years old");
  });
});
