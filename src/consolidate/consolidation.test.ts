import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readAllNotes } from "../../test/support/consolidation-parts.ts";
import { type MemoryFixture, makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { skipWithoutModes } from "../../test/support/platform.ts";

const now = () => new Date("2026-03-20T12:00:00Z");

const notes = {
  "MEMORY.md":
    "# Memory\n\n## Decisions\n\n- The invoices are sent on Mondays by Ines.\n\n## People\n\n- Ines leads billing.\n",
  "memory/2026-03-02.md":
    "# 2026-03-02\n\n- The invoices are sent on Mondays by Ines.\n- We decided to use CockroachDB for the ledger.\n- Met Ana yesterday about the offer.\n",
  "memory/2026-03-09.md": "- Deployed 2.1 to production.\r\n- Lunch with Bo tomorrow.\r\n- Rain.",
  "memory/2026-03-20.md": "- We decided to use Rust for the parser. Yesterday it rained.\n",
};

function open(fixture: MemoryFixture) {
  return fixture.open({
    now,
    config: {
      agents: {
        // However busy the machine is, `add` has enough time to look for known facts.
        defaults: { userTimezone: "UTC", memorySearch: { provider: "none", sync: { searchWaitMs: 60_000 } } },
      },
    },
  });
}

async function setUp(t: TestContext, files: Record<string, string> = notes) {
  const fixture = makeMemoryFixture(t, files);
  const memory = await open(fixture);
  return { fixture, memory, consolidation: memory.consolidation, before: readAllNotes(fixture.workspace) };
}

test("a plan names its source lines and reasons, changes nothing, and is the same for the same notes", async (t) => {
  const { fixture, consolidation, before } = await setUp(t);
  const plan = await consolidation.plan();
  assert.deepEqual(
    plan.steps.map(({ kind, sources }) => [
      kind,
      sources.map(({ path, startLine }) => `${path}:${startLine}`),
    ]),
    [
      ["promote", ["memory/2026-03-02.md:4"]],
      ["merge", ["MEMORY.md:5", "memory/2026-03-02.md:3"]],
      ["anchor", ["memory/2026-03-02.md:5"]],
      ["anchor", ["memory/2026-03-09.md:2"]],
    ],
  );
  assert.deepEqual(plan.steps[0]!.changes[0], {
    path: "MEMORY.md",
    startLine: 6,
    before: [],
    after: ["- We decided to use CockroachDB for the ledger. (2026-03-02)"],
  });
  assert.ok(plan.steps.every(({ reason }) => reason !== ""));
  assert.deepEqual(await consolidation.plan(), plan);
  assert.deepEqual(readAllNotes(fixture.workspace), before);
});

test("every applied step can be undone to the last byte", async (t) => {
  const { fixture, consolidation, before } = await setUp(t);
  const { receipt, applied, refused } = await consolidation.apply({ steps: "all" });
  assert.equal(applied.length, 4);
  assert.deepEqual(refused, []);
  const after = readAllNotes(fixture.workspace);
  assert.equal(
    after["MEMORY.md"],
    "# Memory\n\n## Decisions\n\n- The invoices are sent on Mondays by Ines.\n- We decided to use CockroachDB for the ledger. (2026-03-02)\n\n## People\n\n- Ines leads billing.\n",
  );
  assert.equal(
    after["memory/2026-03-02.md"],
    "# 2026-03-02\n\n- Met Ana yesterday (2026-03-01) about the offer.\n",
  );
  assert.equal(
    after["memory/2026-03-09.md"],
    "- Deployed 2.1 to production.\r\n- Lunch with Bo tomorrow (2026-03-10).\r\n- Rain.",
  );
  assert.deepEqual((await consolidation.plan()).steps, [], "a second plan has nothing left to do");
  const [listed] = await consolidation.receipts();
  assert.equal(listed!.id, receipt);
  assert.equal(JSON.stringify(listed).includes("bytes"), false);
  await consolidation.undo({ receipt: receipt! });
  assert.deepEqual(readAllNotes(fixture.workspace), before);
  await assert.rejects(consolidation.undo(), { code: "receipt-unusable" });
});

test("a short fact is merged with a curated note, but not between daily notes", async (t) => {
  const { consolidation } = await setUp(t, {
    "MEMORY.md": "# Memory\n\n- We ship on Fridays.\n",
    "memory/2026-03-02.md": "- We ship on Fridays.\n- The build is broken.\n",
    "memory/2026-03-09.md": "- The build is broken.\n",
  });
  const { steps } = await consolidation.plan();
  assert.deepEqual(
    steps.map(({ kind, sources }) => [kind, ...sources.map(({ path, startLine }) => `${path}:${startLine}`)]),
    [["merge", "MEMORY.md:3", "memory/2026-03-02.md:1"]],
  );
});

test("equal lines in notes about different people stay", async (t) => {
  const { consolidation } = await setUp(t, {
    "MEMORY.md": "# Memory\n\n- Works at Acme in Berlin.\n",
    "memory/anna.md": "- Works at Acme in Berlin.\n- Drinks tea without any sugar.\n",
    "memory/bo.md": "- Works at Acme in Berlin.\n- Drinks tea without any sugar.\n",
    "memory/2026-03-02.md": "# 2026-03-02\n\n- Now works at Globex in Berlin.\n",
  });
  const { steps } = await consolidation.plan();
  const touched = steps.flatMap(({ changes }) => changes.map(({ path }) => path));
  assert.deepEqual(
    touched.filter((path) => /anna|bo/.test(path)),
    [],
  );
});

test("a newer line of a daily note replaces the curated line that it supersedes", async (t) => {
  const { fixture, memory, consolidation, before } = await setUp(t, {
    "MEMORY.md":
      "# Memory\n\n## Rules\n\n* We ship on Fridays.\n* The billing service listens on port 8080.\n",
    "memory/2026-03-02.md": "- Rain.\n- We ship on Tuesdays now.\n",
    "memory/2026-03-19.md": "- The billing service listens on port 9090 now.\n",
  });
  await consolidation.apply({ steps: "all" });
  const after = readAllNotes(fixture.workspace);
  assert.equal(
    after["MEMORY.md"],
    "# Memory\n\n## Rules\n\n* We ship on Tuesdays now. (2026-03-02)\n* The billing service listens on port 9090 now. (2026-03-19)\n",
  );
  assert.equal(after["memory/2026-03-02.md"], "- Rain.\n");
  assert.equal(after["memory/2026-03-19.md"], before["memory/2026-03-19.md"], "yesterday is left alone");
  assert.match(after["memory/private/archive.md"]!, /We ship on Fridays\. \(from MEMORY\.md, superseded on/);
  assert.deepEqual((await consolidation.plan()).steps, []);
  const added = await memory.add("We ship on Mondays now.");
  assert.deepEqual(added.supersedes, { path: "MEMORY.md", line: 5 }, "its date does not hide what it says");
  writeFileSync(fixture.at("memory/2026-03-20.md"), "");
  await consolidation.undo();
  const { "memory/2026-03-20.md": _, ...restored } = readAllNotes(fixture.workspace);
  assert.deepEqual(restored, before);
});

test("chosen steps are applied, and an unknown one is named", async (t) => {
  const { fixture, consolidation, before } = await setUp(t);
  const anchor = (await consolidation.plan()).steps.findLast(({ kind }) => kind === "anchor")!;
  const { applied, refused } = await consolidation.apply({ steps: [anchor.id, "0000000000"] });
  assert.deepEqual(applied, [anchor]);
  assert.deepEqual(
    refused.map(({ id }) => id),
    ["0000000000"],
  );
  const after = readAllNotes(fixture.workspace);
  assert.equal(after["MEMORY.md"], before["MEMORY.md"]);
  assert.notEqual(after["memory/2026-03-09.md"], before["memory/2026-03-09.md"]);
});

test("a rejected step is not proposed again", async (t) => {
  const { fixture, consolidation } = await setUp(t);
  const [first] = (await consolidation.plan()).steps;
  assert.deepEqual(await consolidation.reject([first!.id, "0000000000"]), [first!.id]);
  const again = await (await open(fixture)).consolidation.plan();
  assert.ok(!again.steps.some(({ id }) => id === first!.id));
  assert.equal(again.rejected, 1);
});

test("an undo refuses if a note has changed since, and says what to do", async (t) => {
  const { fixture, consolidation } = await setUp(t);
  const { steps } = await consolidation.plan();
  const first = await consolidation.apply({ steps: [steps[0]!.id] });
  const second = await consolidation.apply({ steps: [steps[1]!.id] });
  await assert.rejects(consolidation.undo({ receipt: first.receipt! }), {
    code: "note-changed",
    message: /memory\/2026-03-02\.md changed since/,
    hint: new RegExp(`--undo ${second.receipt}`),
  });
  writeFileSync(fixture.at("memory/2026-03-02.md"), "mine\n");
  await assert.rejects(consolidation.undo({ receipt: second.receipt! }), {
    code: "note-changed",
    hint: /by hand/,
  });
  assert.equal(readFileSync(fixture.at("memory/2026-03-02.md"), "utf8"), "mine\n");
});

test("old notes that nothing links to move to the archive as they are, and stay searchable", async (t) => {
  const files = {
    "MEMORY.md": "See [the day](memory/2025-01-02.md).\n",
    "memory/2025-01-01.md": "\ufeffQuiet day with zebras.\r\nRain.",
    "memory/2025-01-02.md": "Linked day.\n",
    "memory/2026-03-01.md": "New day.\n",
  };
  const { fixture, memory, consolidation, before } = await setUp(t, files);
  chmodSync(fixture.at("memory/2025-01-01.md"), 0o600);
  const { receipt, applied } = await consolidation.apply({ steps: "all" });
  assert.deepEqual(
    applied.map(({ kind }) => kind),
    ["archive"],
  );
  assert.ok(!existsSync(fixture.at("memory/2025-01-01.md")));
  assert.equal(
    readFileSync(fixture.at("memory/archive/2025-01-01.md"), "utf8"),
    files["memory/2025-01-01.md"],
  );
  if (skipWithoutModes === false)
    assert.equal(statSync(fixture.at("memory/archive/2025-01-01.md")).mode & 0o777, 0o600);
  const { results } = await memory.search("zebras");
  assert.equal(results[0]?.path, "memory/archive/2025-01-01.md");
  assert.deepEqual(await consolidation.undo({ receipt: receipt! }), {
    receipt,
    restored: ["memory/2025-01-01.md"],
    removed: ["memory/archive/2025-01-01.md"],
  });
  assert.ok(!existsSync(fixture.at("memory/archive")));
  assert.deepEqual(readAllNotes(fixture.workspace), before);
  if (skipWithoutModes === false)
    assert.equal(statSync(fixture.at("memory/2025-01-01.md")).mode & 0o777, 0o600);
});

test("an old note that a search returned recently is not archived, and the reason mentions recalls", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "memory/2025-01-01.md": "Quiet day with zebras.\n",
    "memory/2025-01-02.md": "Walked to the lighthouse.\n",
  });
  const openOn = (day: string, usage = true) =>
    fixture.open({
      now: () => new Date(`${day}T12:00:00Z`),
      config: {
        agents: {
          defaults: {
            userTimezone: "UTC",
            memorySearch: { provider: "none", usage: { enabled: usage } },
          },
        },
      },
    });
  const reasons = async (day: string, usage?: boolean) => {
    await using memory = await openOn(day, usage);
    const { steps } = await memory.consolidation.plan();
    return steps.map(({ kind, reason }) => `${kind}: ${reason.slice(0, reason.indexOf(". "))}`);
  };
  const old = (day: string) => `archive: memory/2025-01-0${day}.md is more than 180 days old`;
  const unlinked = "no note links to it";
  assert.deepEqual(await reasons("2026-03-20"), [
    `${old("1")}, and ${unlinked}`,
    `${old("2")}, and ${unlinked}`,
  ]);
  {
    await using memory = await openOn("2026-03-20");
    for (const query of ["zebras", "quiet zebras"]) await memory.search(query, { maxResults: 1 });
    const { steps } = await memory.consolidation.plan();
    assert.deepEqual(
      steps.map(({ sources }) => sources[0]!.path),
      ["memory/2025-01-02.md"],
    );
    assert.equal((await memory.consolidation.apply({ steps: ["none"] })).receipt, null);
  }
  const never = `${old("2")}, ${unlinked}, and no search has recalled it (counted since 2026-03-20)`;
  assert.deepEqual(await reasons("2026-09-16"), [never]);
  assert.deepEqual(await reasons("2026-09-17"), [
    `${old("1")}, ${unlinked}, and it was recalled 2 times, last on 2026-03-20`,
    never,
  ]);
  assert.deepEqual(await reasons("2026-03-20", false), [
    `${old("1")}, and ${unlinked}`,
    `${old("2")}, and ${unlinked}`,
  ]);
});

test("an undo removes the hard link to a note that a killed process has left", async (t) => {
  const { fixture, consolidation, before } = await setUp(t, { "memory/2025-01-01.md": "Quiet day.\n" });
  await consolidation.apply({ steps: "all" });
  const folder = fixture.at("memory/archive");
  linkSync(join(folder, "2025-01-01.md"), join(folder, ".longhand-0123456789abcdef.tmp"));
  await consolidation.undo();
  assert.deepEqual(readAllNotes(fixture.workspace), before);
  assert.ok(!existsSync(folder));
});

test("an undo leaves other files in the archive alone", async (t) => {
  const { fixture, consolidation } = await setUp(t, {
    "memory/2025/2025-01-01.md": "Quiet day with zebras.\n",
    "memory/archive/old.md": "An older day.\n",
  });
  await consolidation.apply({ steps: "all" });
  const moved = "memory/archive/2025/2025-01-01.md";
  assert.ok(existsSync(fixture.at(moved)));
  writeFileSync(fixture.at("memory/archive/2025/sketch.png"), "kept");
  assert.deepEqual((await consolidation.undo()).removed, [moved]);
  assert.deepEqual(readdirSync(fixture.at("memory/archive")), ["2025", "old.md"]);
  assert.deepEqual(readdirSync(fixture.at("memory/archive/2025")), ["sketch.png"]);
});

test("a plan is made without recalls if the index cannot be opened", async (t) => {
  const { memory, fixture } = await setUp(t, { "memory/2025-01-01.md": "Quiet day with zebras.\n" });
  await memory.search("zebras");
  // Reading the counts writes them to the index.
  await memory.usage();
  const { dbPath } = await memory.status();
  await memory.close();
  writeFileSync(dbPath, "not a database, but a file of somebody else");
  await using again = await open(fixture);
  const { steps } = await again.consolidation.plan();
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ["archive"],
  );
});

test("a long-term memory over its budget loses sections to private notes", async (t) => {
  const long = Array.from(
    { length: 60 },
    (_, at) => `- Printer ${at} stands in room ${at * 7} of the west wing.`,
  );
  const text = ["# Memory", "", "## Rules", "", "- Be kind.", "", "## Printers", "", ...long, ""].join("\n");
  const { fixture, memory, consolidation } = await setUp(t, {
    "MEMORY.md": text.repeat(2).replace(/# Memory\n\n$/, ""),
  });
  const plan = await consolidation.plan();
  assert.ok(plan.budget!.chars > plan.budget!.maxChars);
  assert.deepEqual([...new Set(plan.steps.map(({ kind }) => kind))], ["merge", "trim"]);
  await consolidation.apply({ steps: "all" });
  const main = readFileSync(fixture.at("MEMORY.md"), "utf8");
  assert.ok(main.length <= 4000, `${main.length}`);
  const moved = readFileSync(fixture.at("memory/private/printers.md"), "utf8");
  for (const line of long) assert.ok((main + moved).includes(line), line);
  await assert.rejects(
    memory.readFile({
      relPath: "memory/private/printers.md",
      sessionKey: `agent:${memory.agentId}:x:group:1`,
    }),
    { code: "path-outside-memory" },
  );
});

test("notes that cannot be changed are left out, with the reason", async (t) => {
  const { fixture, consolidation } = await setUp(t);
  chmodSync(fixture.at("memory/2026-03-09.md"), 0o444);
  writeFileSync(fixture.at("memory/2026-03-10.md"), Buffer.from("caf\xe9 yesterday\n", "latin1"));
  writeFileSync(fixture.at("memory/huge.md"), "- A line about nothing.\n".repeat(60_000));
  const { skipped, steps } = await consolidation.plan();
  assert.deepEqual(skipped, [
    { path: "memory/2026-03-09.md", reason: "the file is read-only" },
    { path: "memory/2026-03-10.md", reason: "it is not valid UTF-8 text" },
    { path: "memory/huge.md", reason: "it is larger than 1 MB" },
  ]);
  assert.ok(
    steps.every(({ changes }) => changes.every(({ path }) => !skipped.some((each) => each.path === path))),
  );
});

test("receipts are for their owner alone", { skip: skipWithoutModes }, async (t) => {
  const { fixture, memory, consolidation } = await setUp(t);
  const { receipt } = await consolidation.apply({ steps: "all" });
  const folder = join(fixture.stateDir, "agents", memory.agentId, "consolidation", "receipts");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, `${receipt}.json`)).mode & 0o777, 0o600);
});

test("unreadable receipts are named, not reported as a bug", async (t) => {
  const { fixture, memory, consolidation } = await setUp(t);
  await consolidation.apply({ steps: "all" });
  const folder = join(fixture.stateDir, "agents", memory.agentId, "consolidation", "receipts");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "not a folder");
  const refused = { code: "receipt-unusable", message: /receipts cannot be used: the system says ENOTDIR/ };
  await assert.rejects(consolidation.undo(), refused);
  await assert.rejects(consolidation.receipts(), refused);
});

test("forgotten text is purged from receipts and from proposals of a model", async (t) => {
  const { fixture, memory, consolidation } = await setUp(t);
  const all = () =>
    readdirSync(fixture.stateDir, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => {
        const text = readFileSync(join(fixture.stateDir, name), "utf8");
        const bytes = Array.from(text.matchAll(/"bytes":"([^"]*)"/g), ([, held]) =>
          Buffer.from(held!, "base64"),
        );
        return text + bytes.join("\n");
      })
      .join("\n");
  const step = {
    kind: "promote" as const,
    sources: [{ path: "memory/2026-03-09.md", line: 1, text: "- Deployed 2.1 to production." }],
    reason: "It matters.",
  };
  const submitted = await consolidation.submit([step]);
  assert.equal(submitted.accepted.length, 1);
  const { steps } = await consolidation.plan();
  const kept = steps.filter(({ by }) => by === undefined).map(({ id }) => id);
  const { receipt } = await consolidation.apply({ steps: kept });
  assert.match(all(), /CockroachDB/);
  assert.match(all(), /Deployed 2\.1/);
  const line = readFileSync(fixture.at("MEMORY.md"), "utf8")
    .split("\n")
    .findIndex((each) => each.includes("Cockroach"));
  const forgot = await memory.forget({ path: "MEMORY.md", startLine: line + 1 });
  assert.equal(forgot.receipt?.complete, true);
  await memory.forget({ path: "memory/2026-03-09.md", startLine: 1, endLine: 1 });
  assert.doesNotMatch(all(), /CockroachDB|Deployed 2\.1/);
  await assert.rejects(consolidation.undo({ receipt: receipt! }), {
    code: "receipt-unusable",
    message: /forgotten/,
  });
});

test("a forget reports a receipt that it cannot read, because it may contain the text", async (t) => {
  const { fixture, memory, consolidation } = await setUp(t);
  const { receipt } = await consolidation.apply({ steps: "all" });
  const file = join(
    fixture.stateDir,
    "agents",
    memory.agentId,
    "consolidation",
    "receipts",
    `${receipt}.json`,
  );
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -9));
  const forgot = await memory.forget({ path: "MEMORY.md", startLine: 5 });
  assert.equal(forgot.receipt?.complete, false);
  assert.match(forgot.receipt?.problems.join() ?? "", new RegExp(`${receipt}.json`));
  rmSync(file);
  await memory.sync();
  assert.deepEqual((await memory.status()).pendingPurges, []);
});

test("lines and notes with a relative link or an id are not moved", async (t) => {
  const { consolidation } = await setUp(t, {
    "MEMORY.md": "# Memory\n",
    "memory/2025-01-05.md": "# Day\n\nWalked. See [the plan](projects/apollo.md).\n",
    "memory/2025-01-06.md": "# Day\n\nWalked. ![Map](img/map.png)\n",
    "memory/2025-01-07.md": "# Day\n\nWalked. See [the site](https://example.com).\n",
    "memory/2026-03-02.md":
      "- We decided to use pnpm, see [the plan](projects/apollo.md).\n- We decided to use Rust for the parser. ^parser\n- We decided to use Go for the server.\n",
  });
  const { steps } = await consolidation.plan();
  assert.deepEqual(
    steps.map(({ kind, sources }) => [kind, `${sources[0]!.path}:${sources[0]!.startLine}`]),
    [
      ["promote", "memory/2026-03-02.md:3"],
      ["archive", "memory/2025-01-07.md:1"],
    ],
  );
});

test("a line that a template puts into every daily note is neither merged nor promoted", async (t) => {
  const said = "- The wifi password of the office in Turku is on the whiteboard.\n";
  const days = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`memory/2026-03-0${at + 1}.md`, said]));
  const few = await setUp(t, days(3));
  const many = await setUp(t, days(8));
  assert.deepEqual(
    (await few.consolidation.plan()).steps.map(({ kind }) => kind),
    ["promote"],
  );
  assert.deepEqual((await many.consolidation.plan()).steps, []);
});

test("a fact that was written down on eight of many days is promoted", async (t) => {
  const said = "- The wifi password of the office in Turku is on the whiteboard.\n";
  const dailyNotes = Array.from({ length: 40 }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    return [`memory/${day}.md`, at % 5 === 0 ? said : "- Fixed a flaky test.\n"];
  });
  const { consolidation } = await setUp(t, Object.fromEntries(dailyNotes));
  const { steps } = await consolidation.plan();
  assert.deepEqual(
    steps.map(({ kind, changes }) => [kind, changes.filter(({ before }) => before.length > 0).length]),
    [["promote", 8]],
  );
});

test("the day of a daily note is not repeated in its lines", async (t) => {
  const { consolidation } = await setUp(t, {
    "memory/2026-03-02.md": "- Ana left today, Bo yesterday.\n- Heute Regen.\n",
  });
  const { steps } = await consolidation.plan();
  assert.deepEqual(
    steps.flatMap(({ changes }) => changes.flatMap(({ after }) => after)),
    ["- Ana left today, Bo yesterday (2026-03-01)."],
  );
});

test("old notes of an adopted vault stay in their folders", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "Meetings/2025-01-02 Budget.md": "Forty chairs.\n",
    "memory/2025-01-02.md": "Rain.\n",
  });
  const agents = {
    defaults: {
      userTimezone: "UTC",
      notes: { include: "all" as const },
      memorySearch: { provider: "none" as const },
    },
  };
  const memory = await fixture.open({ now, config: { agents } });
  const { steps } = await memory.consolidation.plan();
  assert.deepEqual(
    steps.map(({ kind, sources }) => [kind, sources[0]?.path]),
    [["archive", "memory/2025-01-02.md"]],
  );
});

test("a plan is made again after an edit and after a rejection", async (t) => {
  const { fixture, consolidation } = await setUp(t);
  const first = await consolidation.plan();
  await consolidation.reject([first.steps[0]!.id]);
  assert.equal((await consolidation.plan()).steps.length, first.steps.length - 1);
  writeFileSync(fixture.at("memory/2026-03-09.md"), "- Rain.\n");
  assert.equal((await consolidation.plan()).steps.length, first.steps.length - 2);
  assert.deepEqual((await consolidation.plan({ since: "2026-03-05" })).steps, []);
});
