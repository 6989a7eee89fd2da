import assert from "node:assert/strict";
import { test } from "node:test";
import { openSearchFixture } from "../../test/support/search-fixture.ts";
import { createChunker } from "../text/chunk.ts";
import { sha256 } from "../text/hash.ts";
import { candidateTokens, findCandidates } from "./find-candidates.ts";
import type { QueryTerm } from "./query-terms.ts";

const path = "memory/wombats.md";
const tokens = ["wombat"];

test("a note that is replaced between finding and reading is found in its current version", async (t) => {
  const { store } = await openSearchFixture(t, { [path]: "A wombat in the yard.\n" });
  const chunker = createChunker({ tokens: 400, overlap: 80 });
  let replaced = 0;
  /** Rewrites the note each time it is found, this many times. */
  const writtenMeanwhile = (times: number): Pick<typeof store, "byKeyword" | "chunks"> => {
    const last = replaced + times;
    return { chunks: (ids) => store.chunks(ids), byKeyword };

    async function byKeyword(...request: Parameters<typeof store.byKeyword>) {
      const ids = await store.byKeyword(...request);
      if (replaced === last) return ids;
      const text = `A wombat in the yard, sighting ${++replaced}.\n`;
      const hash = sha256(text);
      const document = {
        ...{ source: "memory" as const, path, version: hash, text, hash, scope: "shared" as const },
        ...{ sizeBytes: text.length, modifiedAt: new Date(0) },
      };
      await store.put([{ document, chunks: chunker.chunk(text) }], chunker.id);
      return ids;
    }
  };
  const request = { tokens, limit: 10, filter: {}, vectorResult: null };
  for (const times of [0, 1, 2]) {
    const { ids, candidates, isStale } = await findCandidates(writtenMeanwhile(times), request);
    assert.equal(isStale, false);
    assert.deepEqual(
      candidates.map(({ id }) => id),
      ids,
    );
    assert.match(candidates[0]?.text ?? "", replaced === 0 ? /yard\.$/m : new RegExp(`sighting ${replaced}`));
  }
  const { candidates, isStale } = await findCandidates(writtenMeanwhile(100), request);
  assert.deepEqual([candidates, isStale], [[], true], "it ends, whatever happens, and says so");
});

const term = (text: string, chunks: number, forms: readonly string[] = [text]): QueryTerm => ({
  text,
  kind: "word",
  forms: new Map(forms.map((form) => [form, 1])),
  chunks,
  certainty: 1,
  weight: 1,
});

const tokensOf = (...terms: QueryTerm[]) => candidateTokens(terms);

test("Every form of every known word may match", () => {
  assert.deepEqual(tokensOf(term("a", 5, ["a", "aa"]), term("b", 3)), ["b", "a", "aa"]);
  assert.deepEqual(tokensOf(term("unknown", 0)), []);
  assert.deepEqual(tokensOf(), []);
});

test("Very common words do not select candidates if there are rarer ones, in any order", () => {
  const [common, rare] = [term("common", 1_000_000), term("rare", 10)];
  assert.deepEqual(tokensOf(common, rare), ["rare"]);
  assert.deepEqual(tokensOf(rare, common), ["rare"]);
});

test("A query of only common words still selects candidates", () => {
  assert.deepEqual(tokensOf(term("common", 1_000_000), term("also", 2_000_000)), ["common"]);
});
