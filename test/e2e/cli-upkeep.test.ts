import assert from "node:assert/strict";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { DoctorReport } from "../../src/doctor/doctor.ts";
import { createRandom } from "../../src/eval/compare.ts";
import type { MemoryStatus } from "../../src/memory/status.ts";
import type { EmbeddingProbe, VectorProbe } from "../../src/upkeep/probes.ts";
import type { RepairReport, VerifyReport } from "../../src/upkeep/upkeep.ts";
import { tamper } from "../support/index-fixture.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";
import { makeCanaries } from "../support/secret-canaries.ts";

async function openFilled(t: Parameters<typeof openCliFixture>[0]): Promise<CliFixture & { dbPath: string }> {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n\nWe ship on Fridays.\n");
  fixture.write("memory/plants.md", "# Plants\n\nKim waters them.\n");
  await fixture.run("index");
  const { dbPath } = (await fixture.json("status")).value as MemoryStatus;
  return { ...fixture, dbPath };
}

test("verify exits with 1 when the index differs, status --fix repairs it, and verify exits with 0", async (t) => {
  const fixture = await openFilled(t);
  assert.equal((await fixture.run("verify")).code, 0);
  tamper(
    fixture.dbPath,
    "UPDATE chunk_rows SET text = 'We ship never.' WHERE key = (SELECT key FROM chunks WHERE path = 'MEMORY.md')",
  );

  const differing = await fixture.json("verify");
  const { equal, differences } = differing.value as VerifyReport;
  assert.deepEqual([differing.code, equal], [1, false]);
  assert.deepEqual(
    differences.map(({ kind, path }) => [kind, path]),
    [["chunks", "MEMORY.md"]],
  );
  const told = await fixture.run("verify");
  assert.match(told.stdout, /differs .*: 1 difference\..*\n {2}chunks +MEMORY\.md: text of 1 of 1 chunks/);
  assert.match(told.stderr, /longhand status --fix/);

  const fixed = await fixture.json("status", "--fix");
  const { fixed: repair } = fixed.value as { fixed: RepairReport };
  assert.deepEqual([fixed.code, repair.equal, repair.done], [0, true, ["indexed MEMORY.md again"]]);
  assert.match((await fixture.run("verify")).stdout, /Verified: identical to a fresh build/);
  assert.match((await fixture.run("status", "--fix")).stdout, /Nothing to repair/);
});

test("an index that is not a database is reported, quarantined and rebuilt by status --fix", async (t) => {
  const fixture = await openFilled(t);
  writeFileSync(fixture.dbPath, "x".repeat(50_000));
  const { value } = await fixture.json("status", "--fix");
  const { files, quarantined, fixed } = value as MemoryStatus & { fixed: RepairReport };
  assert.deepEqual([files, quarantined.length, fixed.equal], [2, 1, true]);
  assert.match((await fixture.run("status")).stdout, /quarantined +1 file .*corrupt-1/);
});

test("index reports that a damaged index was quarantined and rebuilt", async (t) => {
  const fixture = await openFilled(t);
  writeFileSync(fixture.dbPath, Buffer.alloc(50_000, 7));
  const { code, stderr } = await fixture.run("index");
  assert.equal(code, 0);
  assert.match(stderr, /the index was damaged .* and is built again; .*corrupt-1/);
  assert.doesNotMatch((await fixture.run("index")).stderr, /damaged/);
});

test("a database of another program at store.path is reported by every command, and left alone", async (t) => {
  const fixture = await openFilled(t);
  rmSync(fixture.dbPath);
  rmSync(`${fixture.dbPath}.lock`);
  const foreign = new DatabaseSync(fixture.dbPath);
  foreign.exec("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('Anna')");
  for (const argv of [["search", "ship"], ["index"], ["status"], ["status", "--fix"], ["verify"]]) {
    const { code, stderr } = await fixture.run(...argv);
    assert.equal(code, 1, argv.join(" "));
    assert.match(stderr, /not an index of longhand.*\n.*Set `store.path` to another place/, argv.join(" "));
  }
  const { stdout } = await fixture.run("doctor");
  assert.match(stdout, /✗ index .*not an index of longhand/);
  assert.doesNotMatch(stdout, /[Dd]elete/);
  assert.equal(foreign.prepare("SELECT name FROM customers").get()?.["name"], "Anna");
  foreign.close();
  const names = readdirSync(dirname(fixture.dbPath));
  assert.deepEqual(
    names.filter((name) => name.startsWith(basename(fixture.dbPath))),
    [basename(fixture.dbPath)],
  );
});

test("status --deep tests whether texts can be embedded and vectors searched", async (t) => {
  const fixture = await openFilled(t);
  const { code, value } = await fixture.json("status", "--deep");
  const { probes } = value as { probes: { embedding: EmbeddingProbe; vector: VectorProbe } };
  assert.deepEqual([code, probes.embedding.ok, probes.vector.ok, probes.vector.texts], [0, true, true, 2]);
  assert.match((await fixture.run("status", "--deep")).stdout, /embed +builtin gave \d+ numbers/);
});

test("doctor finds no problems in a new memory, and exits with 0", async (t) => {
  const fixture = await openFilled(t);
  const { code, value } = await fixture.json("doctor");
  const { checks } = value as DoctorReport;
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
  assert.equal(code, 0);
  assert.ok(checks.every(({ name, detail }) => name !== "" && detail !== ""));
  assert.match((await fixture.run("doctor")).stdout, /✓ index .*\n(?:.*\n)*No problems found\./);
});

test("doctor says what is wrong and what to do, and exits with 1", async (t) => {
  const fixture = await openFilled(t);
  const failing = async (): Promise<Record<string, string>> => {
    const { code, value } = await fixture.json("doctor");
    const bad = (value as DoctorReport).checks.filter(({ ok }) => !ok);
    assert.equal(code, 1);
    assert.ok(bad.every(({ fix }) => fix !== null && fix.length > 10));
    return Object.fromEntries(bad.map(({ name, detail }) => [name, detail]));
  };

  const [canary] = makeCanaries(1, createRandom(5));
  fixture.write("memory/keys.md", `# Keys\n\n${canary!.text}\n`);
  const secrets = await failing();
  assert.match(secrets["secrets"] ?? "", /1 likely in notes: memory\/keys\.md:3 /);
  assert.ok(!JSON.stringify(secrets).includes(canary!.secret), "the secret itself is never shown");

  const conflict = "<<<<<<< HEAD\n- Ours.\n=======\n- Theirs.\n>>>>>>> 4a5810a (Bea)\n";
  fixture.write(
    "memory/keys.md",
    `# Keys\n\n\`\`\`\n${conflict}\`\`\`\n\n<<<<<<< HEAD\n=======\n${conflict}`,
  );
  assert.equal((await failing())["conflicts"], "a merge left conflict markers in memory/keys.md:13");
  fixture.write("memory/keys.md", "# Keys\n\nNone.\n");

  if (process.platform !== "win32") {
    chmodSync(fixture.dbPath, 0o644);
    assert.match((await failing())["privacy"] ?? "", /mode 644/);
    await fixture.run("status", "--fix");
    assert.equal((await fixture.run("doctor")).code, 0);
  }

  const config = fixture.write("bad.json5", "{ memori: {} }");
  const { code, stdout } = await fixture.run("--config", config, "doctor");
  assert.equal(code, 1);
  assert.match(stdout, /✗ config .*memori is not a known key/);
  const twice = fixture.write("twice.json5", "{ memori: {}, modells: {} }");
  const lines = (await fixture.run("--config", twice, "doctor")).stdout.split("\n");
  const problems = lines.filter((line) => line.includes("is not a known key"));
  assert.equal(problems.length, 2);
  for (const line of problems) assert.match(line, /^ {10}- /);

  const missing = await fixture.run("--workspace", `${fixture.project}/nowhere`, "doctor");
  assert.equal(missing.code, 1);
  assert.match(missing.stdout, /✗ workspace .*nowhere does not exist/);
});

test("doctor finds damage in the file of the index, and changes nothing", async (t) => {
  const fixture = await openFilled(t);
  tamper(fixture.dbPath, "DELETE FROM chunks_fts_data WHERE id > 100");
  for (let round = 0; round < 2; round++) {
    const { stdout, code } = await fixture.run("doctor");
    assert.equal(code, 1);
    assert.match(stdout, /✗ index +it is damaged: .*chunks_fts/);
  }
  assert.equal((await fixture.run("status", "--fix")).code, 0);
  assert.equal((await fixture.run("doctor")).code, 0);
});
