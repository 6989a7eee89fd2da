import assert from "node:assert/strict";
import { test } from "node:test";
import { compareStatements } from "./compare-statements.ts";
import { readNote } from "./statements.ts";

const lines = ["We ship on Fridays only.", "Ada owns the billing service.", "Staging runs on port 5433."];
const text = lines.map((line) => `- ${line}\n`).join("");
const { statements } = readNote({ path: "memory/2026-03-02.md", text, date: "2026-03-02" });

test("comparing yields after every statement, so that a server can answer meanwhile", async () => {
  let times = 0;
  await compareStatements(statements, async () => void times++);
  assert.equal(times, 2 * lines.length, "once after reading a statement and once after comparing it");
});

test("comparing stops when the caller cancels it", async () => {
  let times = 0;
  const comparing = compareStatements(statements, async () => {
    if (++times > lines.length) throw new Error("cancelled");
  });
  await assert.rejects(comparing, /cancelled/);
  assert.equal(times, lines.length + 1);
});
