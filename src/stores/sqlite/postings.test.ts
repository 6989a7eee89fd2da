import assert from "node:assert/strict";
import { test } from "node:test";
import { collectPostings } from "./postings.ts";

test("keys are grouped by their counts, and ascend whatever their order was", () => {
  const found = collectPostings();
  const keys = Array.from({ length: 300 }, (_, at) => at * 3 + 1);
  for (const key of keys) found.group({ body: 1, head: 0 }).add(key);
  for (const key of [7, 5, 2 ** 40, 5000]) found.group({ body: 1, head: 2 }).add(key);
  found.group({ body: 9, head: 0 });
  const { chunks, groups } = found.postings();
  assert.equal(chunks, 304);
  assert.deepEqual(
    groups.map(({ keys: all, ...counts }) => [counts, [...all]]),
    [
      [{ body: 1, head: 0 }, keys],
      [{ body: 1, head: 2 }, [5, 7, 5000, 2 ** 40]],
    ],
  );
  assert.deepEqual(collectPostings().postings(), { chunks: 0, groups: [] });
});
