import assert from "node:assert/strict";
import { test } from "node:test";
import { planJob } from "./submit-job.ts";

const about = { name: "job", since: "2026-01-01T00:00:00.000Z", attempt: 1 };
const lineOf = ({ key, text }: { key: string; text: string }) => `${key}:${text}\n`;
const prepare = (text: string) => text;
const texts = Array.from({ length: 10 }, (_, index) => ({ hash: `h${index}`, text: "ä".repeat(10) }));

test("A job holds as many texts as the service allows, by number and by bytes, and one at least", async () => {
  const plan = async (limits: { items: number; bytes: number }) =>
    (await planJob(texts, { limits, lineOf, prepare }, about)).inputs.length;
  assert.equal(await plan({ items: 50, bytes: 1e6 }), 10);
  assert.equal(await plan({ items: 4, bytes: 1e6 }), 4);
  // A line has 20 bytes for the text and 3 for the rest.
  assert.equal(await plan({ items: 50, bytes: 23 * 3 }), 3);
  assert.equal(await plan({ items: 50, bytes: 23 * 3 - 1 }), 2);
  assert.equal(await plan({ items: 50, bytes: 1 }), 1);
});

test("A job is recorded by the hashes of its texts in order, and its inputs are numbered in the same order", async () => {
  const { record, inputs } = await planJob(
    texts,
    { limits: { items: 3, bytes: 1e6 }, lineOf, prepare },
    about,
  );
  assert.deepEqual(record.hashes, ["h0", "h1", "h2"]);
  assert.deepEqual(
    inputs.map(({ key }) => key),
    ["0", "1", "2"],
  );
  assert.ok(record.id === null && record.tokens > 0);
});
