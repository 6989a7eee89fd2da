import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeRefusal } from "./judge-refusal.ts";

const judge = (status: number, body: unknown) =>
  judgeRefusal({
    from: "openai token-embed at http://tokens/",
    status,
    retryAfter: null,
    body,
    shown: "",
    nowMs: 0,
  });

test("which limit was met is read from the answer of the service, not from its name or address", () => {
  const limits: [unknown, "items" | "tokens" | undefined][] = [
    ["This model's maximum context length is 8192 tokens", "tokens"],
    [{ error: { message: "Requested 400000 tokens", code: "max_tokens_per_request" } }, "tokens"],
    [{ error: { code: "string_above_max_length" } }, "tokens"],
    [{ detail: "The batch size limit is 128. Your batch size is 300." }, "items"],
    [{ error: "at most 100 requests can be in one batch" }, "items"],
    [{ error: "payload too large" }, undefined],
  ];
  for (const [body, limit] of limits) {
    const failure = judge(400, body);
    assert.deepEqual([failure.kind, failure.limit], ["limit", limit], JSON.stringify(body));
  }
  assert.deepEqual([judge(413, "").kind, judge(413, "").limit], ["limit", undefined]);
});
