import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../../test/support/memory-fixture.ts";
import type { TranscriptFlush } from "../../flush/flush-transcript.ts";
import type { HookRequest } from "./answers.ts";
import { answerSessionStart } from "./session-start.ts";

for (const trusted of [true, false]) {
  test(`a flush that takes too long does not delay the start of a session, ${trusted ? "with" : "without"} trust`, async (t) => {
    const memory = await makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays only.\n" }).open({
      trusted,
    });
    let lastWords = "";
    const wanted = trusted ? /We ship on Fridays only/ : /systemMessage.*not trusted/;
    const flush: TranscriptFlush = {
      begin() {},
      markPending() {},
      markCompactedPending() {},
      async finish() {
        assert.match(lastWords, wanted, "known before the flush begins");
        if (trusted) await memory.add("Ada owns the ledger.", { to: "long-term" });
        return { written: trusted ? [{} as never] : [], isComplete: true, problems: [] };
      },
    };
    const request: HookRequest = {
      memory,
      input: { text: "{}", source: "compact" },
      flush: async () => flush,
      untrusted: "this workspace is not trusted",
      signal: new AbortController().signal,
      print() {},
      setFallback: (text) => {
        lastWords = text;
      },
      warn() {},
    };
    const answer = await answerSessionStart(request);
    assert.match(answer, wanted);
    assert.equal(answer.includes("Ada owns the ledger"), trusted, "what the flush wrote is read, too");
  });
}
