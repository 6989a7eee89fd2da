import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readLines } from "./batch-wire.ts";

const large = { maxBytes: 1e9, maxLineBytes: 1e9 };

function bodyOf(parts: readonly Uint8Array[]): Response {
  return new Response(ReadableStream.from(parts) as ReadableStream<Uint8Array>);
}

async function linesOf(response: Response, limits = large): Promise<{ lines: string[]; isWhole: boolean }> {
  const lines: string[] = [];
  const isWhole = await readLines(response, limits, async (line) => {
    lines.push(line);
  });
  return { lines, isWhole };
}

test("Lines are the same however the bytes are split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""))),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (expected, sizes) => {
        const bytes = new TextEncoder().encode(expected.map((line) => `${line}\n`).join(""));
        const parts: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          parts.push(bytes.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(await linesOf(bodyOf(parts)), { lines: expected, isWhole: true });
      },
    ),
    { seed: 20261115, numRuns: 200 },
  );
});

test("The last line needs no line end, and an empty body has no lines", async () => {
  assert.deepEqual((await linesOf(new Response("a\nb"))).lines, ["a", "b"]);
  assert.deepEqual((await linesOf(new Response(""))).lines, []);
  assert.deepEqual((await linesOf(new Response(null))).lines, []);
});

test("A line or a body that is too large ends the reading", async () => {
  const long = await linesOf(new Response(`ok\n${"x".repeat(100)}\nnever`), { ...large, maxLineBytes: 50 });
  assert.deepEqual(long, { lines: ["ok"], isWhole: false });
  const body = await linesOf(bodyOf([Buffer.from("one\n"), Buffer.from("two\n")]), { ...large, maxBytes: 6 });
  assert.deepEqual(body, { lines: ["one"], isWhole: false });
});
