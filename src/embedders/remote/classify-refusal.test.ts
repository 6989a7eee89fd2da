import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyRefusal, retryAfterMs } from "./classify-refusal.ts";

const classify = (status: number, body: unknown) =>
  classifyRefusal({
    from: "openai token-embed at http://tokens/",
    status,
    retryAfter: null,
    body,
    shown: "",
    nowMs: 0,
  });

test("which limit was exceeded follows from the response body, not from the name or address of the service", () => {
  const limits: [unknown, "items" | "tokens" | undefined][] = [
    ["This model's maximum context length is 8192 tokens", "tokens"],
    [{ error: { message: "Requested 400000 tokens", code: "max_tokens_per_request" } }, "tokens"],
    [{ error: { code: "string_above_max_length" } }, "tokens"],
    [{ detail: "The batch size limit is 128. Your batch size is 300." }, "items"],
    [{ error: "at most 100 requests can be in one batch" }, "items"],
    [{ error: "payload too large" }, undefined],
  ];
  for (const [body, limit] of limits) {
    const failure = classify(400, body);
    assert.deepEqual([failure.kind, failure.limit], ["limit", limit], JSON.stringify(body));
  }
  assert.deepEqual([classify(413, "").kind, classify(413, "").limit], ["limit", undefined]);
});

const nowMs = Date.parse("2026-11-15T12:00:00Z");
const info = (retryDelay: unknown) => ({
  error: { details: [null, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }] },
});

test("The delay is read from the header or the body, and invalid values are ignored", () => {
  const cases: [string | null, unknown, number | null][] = [
    [null, null, null],
    ["0", null, 0],
    ["3", null, 3000],
    ["1.5", null, 1500],
    ["Sun, 15 Nov 2026 12:00:20 GMT", null, 20_000],
    ["Sun, 15 Nov 2026 11:00:00 GMT", null, 0],
    ["soon", null, null],
    ["-5", null, null],
    ["99999999999999", null, null],
    [null, info("12s"), 12_000],
    [null, info("0.25s"), 250],
    [null, info("12"), null],
    [null, info({}), null],
    [null, { error: { details: "no list" } }, null],
    [null, "text", null],
    ["1", info("2s"), 2000],
  ];
  for (const [header, body, expected] of cases) {
    assert.equal(retryAfterMs({ header, body, nowMs }), expected, `${header} ${JSON.stringify(body)}`);
  }
});
