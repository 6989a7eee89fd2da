import assert from "node:assert/strict";
import { test } from "node:test";
import { formatProblem, parseDuration } from "./formats.ts";

test("durations are parsed with their units, a bare number as minutes", () => {
  const read = ["5m", "90s", "1h30m", "250ms", "2d", "0", "15", " 1.5H "].map(parseDuration);
  assert.deepEqual(read, [300_000, 90_000, 5_400_000, 250, 172_800_000, 0, 900_000, 5_400_000]);
  for (const text of ["", "m", "5 minutes", "-5m", "1h-2m", "5x"]) assert.equal(parseDuration(text), null);
});

test("on Windows a path whose backslashes were lost in JSON is refused", () => {
  const read = (json: string) => formatProblem("path", JSON.parse(json) as string, "win32");
  for (const json of [
    String.raw`"C:\\notes"`,
    '"C:/notes"',
    String.raw`"\\\\nas\\notes"`,
    '"notes/new"',
    '"~/notes"',
  ])
    assert.equal(read(json), null, json);
  for (const text of ["C:Usersann", "c:notes", "D:\new", "\\\\nas\temp"]) {
    assert.match(formatProblem("path", text, "win32") ?? "", /slashes, or each backslash twice/, text);
    assert.equal(formatProblem("path", text, "linux"), null, text);
  }
  assert.equal(formatProblem("model", "hf:org/model", "win32"), null);
});
