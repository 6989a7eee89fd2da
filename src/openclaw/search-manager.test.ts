import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { createSearchManager, type ManagerDebug } from "./search-manager.ts";

const notes = {
  "MEMORY.md": "# Memory\n\n- The landlord is called Quillfeather.\n",
  "memory/2026-03-02.md": "# 2026-03-02\n\n- The wallaby release is on Friday.\n",
  "memory/empty.md": "",
};

async function openManager(
  t: TestContext,
  options: Parameters<ReturnType<typeof makeMemoryFixture>["open"]>[0] = {},
) {
  const fixture = makeMemoryFixture(t, notes);
  const memory = await fixture.open(options);
  const manager = await createSearchManager(memory);
  t.after(() => manager.close());
  await manager.sync();
  return { manager, memory, fixture };
}

suite("The search manager", () => {
  test("refuses what is no opened memory, and a request without a path", async (t) => {
    const { manager, memory } = await openManager(t);
    const refused = { code: "not-supported" };
    await assert.rejects(createSearchManager(Promise.resolve(memory) as never), refused);
    await assert.rejects(manager.readFile({} as never), refused);
  });

  test("returns hits as a list, without scores that do not apply", async (t) => {
    const { manager } = await openManager(t);
    const [hit, ...others] = await manager.search("wallaby release");
    assert.equal(others.length, 0);
    const { score, textScore, ...rest } = hit!;
    assert.ok(score > 0 && score <= 1 && textScore !== undefined);
    assert.deepEqual(rest, {
      path: "memory/2026-03-02.md",
      startLine: 1,
      endLine: 3,
      snippet: "# 2026-03-02\n\n- The wallaby release is on Friday.",
      source: "memory",
      citation: "memory/2026-03-02.md#L1-L3",
    });
    assert.deepEqual(await manager.search(""), []);
    assert.deepEqual(await manager.search("nowhere-to-be-found"), []);
  });

  test("uses the configured limits if the host passes NaN", async (t) => {
    const { manager } = await openManager(t);
    const usual = await manager.search("wallaby");
    for (const options of [{ maxResults: Number.NaN }, { minScore: Number.NaN }, { maxResults: Infinity }])
      assert.deepEqual(await manager.search("wallaby", options), usual);
  });

  test("searches only the named sources, and none if the list is empty", async (t) => {
    const { manager } = await openManager(t);
    const find = async (sources: ("memory" | "sessions")[]) =>
      (await manager.search("wallaby", { sources })).length;
    assert.deepEqual(
      [await find(["memory"]), await find(["memory", "sessions"]), await find(["sessions"]), await find([])],
      [1, 1, 0, 0],
    );
  });

  test("keeps private notes out of groups", async (t) => {
    const { manager } = await openManager(t);
    const find = async (sessionKey: string) => (await manager.search("landlord", { sessionKey })).length;
    assert.deepEqual([await find("agent:main:main"), await find("agent:main:telegram:group:7")], [1, 0]);
    const group = { relPath: "MEMORY.md", sessionKey: "agent:main:telegram:group:7" };
    await assert.rejects(manager.readFile(group), { code: "path-outside-memory" });
  });

  test("uses no embedder if only keyword search is requested", async (t) => {
    const embedder = createConceptEmbedder();
    const { manager } = await openManager(t, { embedder, config: withMemorySearch({}) });
    const modes: ManagerDebug[] = [];
    const onDebug = (debug: ManagerDebug): unknown => modes.push(debug);
    embedder.queries.length = 0;
    await manager.search("wallaby", { lexicalOnly: true, onDebug });
    assert.equal(embedder.queries.length, 0);
    await manager.search("wallaby", { onDebug });
    assert.ok(embedder.queries.includes("wallaby"));
    assert.deepEqual(
      modes.map(({ effectiveMode }) => effectiveMode),
      ["keyword", "hybrid"],
    );
  });

  test("reads lines, and distinguishes an empty note from a missing one", async (t) => {
    const { manager } = await openManager(t);
    assert.deepEqual(await manager.readFile({ relPath: "memory/2026-03-02.md", from: 1, lines: 2 }), {
      status: "ok",
      text: "# 2026-03-02\n",
      path: "memory/2026-03-02.md",
      from: 1,
      lines: 2,
      truncated: true,
      nextFrom: 3,
    });
    const { status } = await manager.readFile({ relPath: "memory/empty.md" });
    assert.equal(status, "ok");
    assert.deepEqual(await manager.readFile({ relPath: "memory/none.md" }), {
      status: "not_found",
      text: "",
      path: "memory/none.md",
    });
    await assert.rejects(manager.readFile({ relPath: "../secret.md" }), { code: "path-outside-memory" });
  });

  test("returns its status immediately, and the new one at the next call", async (t) => {
    const { manager, memory, fixture } = await openManager(t);
    const status = manager.status();
    assert.deepEqual(
      [status.backend, status.files, status.dirty, status.provider, status.vector.available],
      ["builtin", 3, false, "none", false],
    );
    assert.deepEqual(status.sourceCounts, [{ source: "memory", files: 3, chunks: 2 }]);
    assert.deepEqual(
      [status.batch.wait, status.batch.pollIntervalMs, status.batch.timeoutMs, status.custom.searchMode],
      [true, 2000, 3_600_000, "fts-only"],
    );
    assert.equal(status.custom.longhand.agentId, memory.agentId);
    writeFileSync(fixture.at("memory/new.md"), "# New\n\nmarmalade\n");
    const progress: number[] = [];
    await manager.sync({ progress: ({ completed }) => progress.push(completed) });
    assert.equal(manager.status().files, 4);
    assert.ok(progress.length > 0);
  });

  test("probes embeddings and vectors, and remembers the last answer", async (t) => {
    const { manager } = await openManager(t, {
      embedder: createConceptEmbedder(),
      config: withMemorySearch({}),
    });
    assert.equal(manager.getCachedEmbeddingAvailability(), null);
    const probe = await manager.probeEmbeddingAvailability();
    assert.ok(probe.ok && probe.checked);
    assert.equal(manager.getCachedEmbeddingAvailability(), probe);
    assert.equal(await manager.probeVectorAvailability(), true);

    const { manager: without } = await openManager(t);
    const { ok, error } = await without.probeEmbeddingAvailability();
    assert.ok(!ok && error);
    assert.equal(await without.probeVectorAvailability(), false);
  });

  test("closes the memory once, and reports that afterwards", async (t) => {
    const { manager } = await openManager(t);
    manager.status();
    await Promise.all([manager.close(), manager.close()]);
    await assert.rejects(manager.search("wallaby"), { message: /it is closed/ });
    assert.equal(manager.status().files, 3);
  });
});
