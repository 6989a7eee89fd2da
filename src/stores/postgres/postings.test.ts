import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  blockOf,
  blockSize,
  countOnce,
  countPostings,
  encodePostings,
  onceInBody,
  onceInHead,
  packPosting,
  visitPostings,
  withoutKeys,
} from "./postings.ts";

interface Posting {
  readonly key: number;
  readonly tokenCount: number;
  readonly body: number;
  readonly head: number;
}

const block = 7;
const posting: fc.Arbitrary<Posting> = fc.record({
  key: fc.integer({ min: block * blockSize, max: (block + 1) * blockSize - 1 }),
  tokenCount: fc.nat({ max: 100_000 }),
  body: fc.nat({ max: 400 }),
  head: fc.nat({ max: 400 }),
});
const postings = fc.uniqueArray(posting, { selector: ({ key }) => key });

const encode = (all: readonly Posting[]): Buffer =>
  encodePostings(
    all.map(({ key, tokenCount, body, head }) => {
      let often = 0;
      for (let count = 0; count < body; count++) often = countOnce(often, onceInBody);
      for (let count = 0; count < head; count++) often = countOnce(often, onceInHead);
      return packPosting(key, tokenCount, often);
    }),
  );

const read = (entries: Buffer): Posting[] => {
  const found: Posting[] = [];
  visitPostings(block, entries, (key, tokenCount, body, head) => found.push({ key, tokenCount, body, head }));
  return found;
};

test("postings are read as they were written, large numbers capped", () => {
  const holds = fc.property(postings, (all) => {
    const entries = encode(all);
    assert.equal(countPostings(entries), all.length);
    assert.deepEqual(
      read(entries),
      all.map(({ key, tokenCount, body, head }) => ({
        key,
        tokenCount: Math.min(tokenCount, 65_535),
        body: Math.min(body, 255),
        head: Math.min(head, 255),
      })),
    );
    assert.ok(all.every(({ key }) => blockOf(key) === block));
  });
  fc.assert(holds, { seed: 6 });
});

test("only those of deleted chunks are removed", () => {
  const holds = fc.property(postings, fc.nat({ max: 5 }), (all, every) => {
    const gone = new Set(all.filter((_, index) => index % (every + 1) === 0).map(({ key }) => key));
    const kept = read(withoutKeys(block, encode(all), gone));
    assert.deepEqual(
      kept.map(({ key }) => key),
      all.map(({ key }) => key).filter((key) => !gone.has(key)),
    );
  });
  fc.assert(holds, { seed: 7 });
});
