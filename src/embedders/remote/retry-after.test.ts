import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./retry-after.ts";

const nowMs = Date.parse("2026-11-15T12:00:00Z");
const info = (retryDelay: unknown) => ({
  error: { details: [null, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }] },
});

test("The time to wait is read from the header or from the body, and nothing is made of nonsense", () => {
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
