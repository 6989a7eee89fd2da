import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { parseChoice, readAll } from "./read-input.ts";

test("numbers, ranges, `all` and an empty answer are parsed", () => {
  assert.deepEqual(parseChoice("2", 3), [2]);
  assert.deepEqual(parseChoice(" 3, 1-2 ,1\r", 3), [1, 2, 3]);
  assert.deepEqual(parseChoice("ALL", 2), [1, 2]);
  for (const none of ["", " ", "none", "n", "No"]) assert.deepEqual(parseChoice(none, 3), []);
});

test("anything else selects nothing and is reported", () => {
  for (const wrong of ["0", "4", "2-1", "1-9", "x", "1;2", "-1", "1e1", "99999999999"]) {
    assert.throws(() => parseChoice(wrong, 3), { code: "usage" }, wrong);
  }
});

test("input is read to its end, but not beyond the limit", async () => {
  const { signal } = new AbortController();
  const read = (text: string, maxBytes: number) =>
    readAll({ input: new PassThrough().end(text), signal }, maxBytes);
  assert.equal(String(await read("übung", 6)), "übung");
  assert.equal(await read("übung", 5), null);
});

test("a cancelled command does not wait for a writer that never ends", async () => {
  const controller = new AbortController();
  const input = new PassThrough();
  input.write("half of");
  const reading = readAll({ input, signal: controller.signal }, 100);
  controller.abort();
  await assert.rejects(reading, { code: "aborted" });
  await assert.rejects(readAll({ input: new PassThrough(), signal: controller.signal }, 100), {
    code: "aborted",
  });
});
