import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { quarantine, removeQuarantined } from "./quarantine.ts";

test("the last two damaged files are kept, with their sidecars", (t) => {
  const folder = makeTemporaryFolder(t, {
    "other.corrupt-1": "",
    "index.corrupt-old": "",
    "index.corrupt-9x": "",
  });
  const strangers = ["index.corrupt-9x", "index.corrupt-old", "other.corrupt-1"];
  const path = folder.at("index");
  const ours = () => readdirSync(folder.dir).filter((name) => !strangers.includes(name));
  const damage = (text: string, ...sidecars: string[]) => {
    for (const suffix of ["", ...sidecars]) folder.write(`index${suffix}`, text + suffix);
    return quarantine(path);
  };
  assert.equal(damage("first", "-wal", "-shm"), folder.at("index.corrupt-1"));
  assert.deepEqual(ours(), ["index.corrupt-1", "index.corrupt-1-shm", "index.corrupt-1-wal"]);
  assert.equal(readFileSync(folder.at("index.corrupt-1-wal"), "utf8"), "first-wal");
  assert.equal(damage("second"), folder.at("index.corrupt-2"));
  assert.equal(ours().length, 4);
  assert.equal(damage("third", "-journal"), folder.at("index.corrupt-3"));
  assert.deepEqual(ours(), ["index.corrupt-2", "index.corrupt-3", "index.corrupt-3-journal"]);
  // Ten follows nine, but not in string order.
  for (let number = 4; number <= 10; number++) damage(`${number}`);
  assert.deepEqual(ours().sort(), ["index.corrupt-10", "index.corrupt-9"]);
  assert.deepEqual(removeQuarantined(path), [folder.at("index.corrupt-9"), folder.at("index.corrupt-10")]);
  assert.deepEqual(readdirSync(folder.dir).sort(), strangers);
});

test("a sidecar of a damaged file that cannot be moved is an error", (t) => {
  const folder = makeTemporaryFolder(t, { index: "", "index-wal": "", "index.corrupt-1-wal/in the way": "" });
  assert.throws(() => quarantine(folder.at("index")), { code: /^(?!ENOENT)E/ });
});

test("a file that cannot be renamed, although no one has it open, is not reported as busy", (t) => {
  const folder = makeTemporaryFolder(t);
  assert.throws(() => quarantine(folder.at("index")), { code: "ENOENT" });
});
