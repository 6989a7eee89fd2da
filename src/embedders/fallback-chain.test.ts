import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { createFallbackChain, type FailureRecord, type ProviderFailure } from "./fallback-chain.ts";

const down: ProviderFailure = { reason: "ECONNREFUSED", kind: "unreachable" };
const refused: ProviderFailure = { reason: "HTTP 401", kind: "refused" };
const late: ProviderFailure = { reason: "too late", kind: "late" };

function createRecord(): FailureRecord & { json: string | null } {
  return {
    json: null,
    async read() {
      return this.json;
    },
    async write(json) {
      this.json = json;
    },
  };
}

function open({ clock = { ms: 0 }, record = createRecord(), names = ["first", "second", "builtin"] } = {}) {
  const embedders = names.map((name) => createConceptEmbedder({ id: `${name}:1`, provider: name }));
  const links = embedders.map((embedder) => ({ provider: embedder.provider, open: async () => embedder }));
  const chain = createFallbackChain({ links, record, now: () => new Date(clock.ms) });
  const usable = (purpose: "query" | "documents" = "query") =>
    chain.usable(purpose).map(({ provider }) => provider);
  const openAll = async () => {
    for (const link of chain.links) await link.open();
  };
  return { chain, clock, record, usable, openAll, embedders };
}

suite("A chain of embedders", () => {
  test("skips one that failed during a pause, and tries it first again afterwards", async () => {
    const { chain, clock, usable, openAll } = open();
    await openAll();
    await chain.failed(chain.links[0]!, refused);
    assert.deepEqual(usable(), ["second", "builtin"]);
    clock.ms = 9_999;
    assert.deepEqual(usable(), ["second", "builtin"]);
    clock.ms = 10_000;
    assert.deepEqual(usable(), ["first", "second", "builtin"]);
    assert.ok(chain.isFailing(), "until it has answered");
    await chain.answered(chain.links[0]!, "query");
    assert.equal(await chain.describe(), null);
  });

  test("says since when, also after later failures and in another process", async () => {
    const clock = { ms: 1_000 };
    const { chain, record, openAll } = open({ clock });
    await openAll();
    await chain.failed(chain.links[0]!, down);
    clock.ms = 60_000;
    await chain.failed(chain.links[0]!, refused);
    const expected = { from: "first", to: "second", reason: "HTTP 401", since: "1970-01-01T00:00:01.000Z" };
    const { retryAt, ...described } = (await chain.describe())!;
    assert.deepEqual(described, expected);
    assert.equal(retryAt, "1970-01-01T00:01:20.000Z");
    const other = open({ clock, record });
    assert.equal((await other.chain.describe())?.since, expected.since);
  });

  test("a service that is down is skipped by other processes; a refusal concerns one process only", async () => {
    const clock = { ms: 0 };
    const one = open({ clock });
    const other = open({ clock, record: one.record });
    await one.openAll();
    await other.openAll();
    await one.chain.failed(one.chain.links[0]!, refused);
    await other.chain.learn();
    assert.deepEqual(other.usable(), ["first", "second", "builtin"]);
    await one.chain.failed(one.chain.links[0]!, down);
    await other.chain.learn();
    assert.deepEqual(other.usable(), ["second", "builtin"]);
    await one.chain.answered(one.chain.links[0]!, "documents");
    await other.chain.learn();
    assert.deepEqual(other.usable(), ["first", "second", "builtin"]);
  });

  test("documents move to the fallback after the second late answer, not after the first", async () => {
    const { chain, usable, openAll } = open();
    await openAll();
    await chain.failed(chain.links[0]!, late);
    assert.deepEqual([usable("query")[0], usable("documents")[0]], ["second", "first"]);
    await chain.answered(chain.links[0]!, "documents");
    assert.equal(usable("query")[0], "second", "documents say nothing about the latency of queries");
    await chain.failed(chain.links[0]!, late);
    assert.equal(usable("documents")[0], "second");
  });

  test("an explicit request does not wait for the end of a pause, whichever process started it", async () => {
    const one = open();
    await one.openAll();
    await one.chain.failed(one.chain.links[0]!, down);
    const other = open({ record: one.record });
    await other.openAll();
    await other.chain.retryNow();
    await other.chain.learn();
    assert.equal(other.usable()[0], "first");
  });

  test("with a read-only index each process keeps its own state", async () => {
    const record = { ...createRecord(), write: () => Promise.reject(new Error("read-only")) };
    const { chain, usable, openAll } = open({ record });
    await openAll();
    await chain.failed(chain.links[0]!, down);
    await chain.learn();
    assert.equal(usable()[0], "second");
  });

  test("a malformed record is ignored", async () => {
    for (const json of ["", "[]", "{", "null", '{"first:1":{"reason":1}}', '{"first:1":{"kind":"late"}}']) {
      const { chain, record, usable } = open();
      record.json = json;
      assert.equal(await chain.describe(), null, json);
      assert.equal(usable()[0], "first");
    }
  });

  test("closes each embedder that it opened exactly once, and the chosen one in any case", async () => {
    const { chain, embedders } = open();
    await chain.links[2]!.open();
    await chain[Symbol.asyncDispose]();
    assert.deepEqual(
      embedders.map(({ closings }) => closings),
      [1, 0, 1],
    );
  });

  test("whatever fails, a link is never usable during its pause, and always if it has not failed", async () => {
    const event = fc.record({
      link: fc.nat(1),
      what: fc.constantFrom("down", "refused", "late", "answered", "wait"),
      process: fc.nat(1),
      ms: fc.integer({ min: 0, max: 700_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const clock = { ms: 0 };
        const record = createRecord();
        const processes = [open({ clock, record }), open({ clock, record })];
        for (const { openAll } of processes) await openAll();
        for (const { link: at, what, process, ms } of events) {
          const { chain, usable } = processes[process]!;
          await chain.learn();
          const link = chain.links[at]!;
          if (what === "wait") clock.ms += ms;
          // Only usable links can fail or answer.
          else if (!chain.usable("query").includes(link)) continue;
          else if (what === "answered") await chain.answered(link, "query");
          else {
            await chain.failed(link, { down, refused, late }[what]);
            assert.ok(!usable().includes(link.provider));
          }
          assert.ok(usable().includes("builtin"));
          const described = await chain.describe();
          assert.equal(described?.to === "none", false);
          if (described?.retryAt) assert.ok(Date.parse(described.retryAt) - clock.ms <= 600_000);
        }
        clock.ms += 600_000;
        for (const { chain, usable } of processes) {
          await chain.learn();
          assert.deepEqual(usable(), ["first", "second", "builtin"]);
        }
      }),
    );
  });
});
