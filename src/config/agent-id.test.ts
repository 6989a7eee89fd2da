import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { agentIdForFolder, isAgentId } from "./agent-id.ts";

test("an id is safe as the name of a file", () => {
  for (const id of ["main", "work.2", "a_b-C", "-x", "0", "a".repeat(64)]) assert.ok(isAgentId(id), id);
  for (const id of [
    "",
    ".",
    "..",
    ".hidden",
    "a/b",
    "a\\b",
    "a b",
    "ä",
    "a\0",
    "a\n",
    "a".repeat(65),
    "a:b",
  ]) {
    assert.ok(!isAgentId(id), JSON.stringify(id));
  }
});

test("a folder's agent has its name and six digits of the hash of its path", () => {
  const digits = createHash("sha256").update("/home/ann/my notes").digest("hex").slice(0, 6);
  assert.equal(agentIdForFolder("/home/ann/my notes"), `my-notes-${digits}`);
});

test("any path gives a valid id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
      assert.ok(isAgentId(agentIdForFolder(`/${name}`)), agentIdForFolder(`/${name}`));
    }),
    { seed: 7, numRuns: 200 },
  );
  for (const path of ["/", "/..x", "/日本語", "/.config", `/${"n".repeat(300)}`])
    assert.ok(isAgentId(agentIdForFolder(path)));
});
