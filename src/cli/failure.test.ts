import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import { asLonghandError, exitCodeOf, renderFailure } from "./failure.ts";

const paint = (_: unknown, text: string) => text;

test("a failure is what went wrong and what to do, in two lines", () => {
  const error = new LonghandError("usage", "That does not work.", {
    hint: "Do this.",
    cause: new Error("deep"),
  });
  assert.equal(renderFailure(error, { paint, debug: false }), "error: That does not work.\nhint: Do this.");
});

test("with --debug the code, the stack and every cause are added", () => {
  const cause = new Error("near", { cause: new Error("deep") });
  const error = new LonghandError("internal", "No.", { hint: "Yes.", cause });
  const text = renderFailure(error, { paint, debug: true });
  assert.match(text, /^code: internal$/m);
  assert.match(text, /^cause: Error: near$/m);
  assert.match(text, /^cause: Error: deep$/m);
});

test("anything thrown becomes an error with a code and a hint", () => {
  for (const thrown of [new TypeError("x is not a function"), "text", undefined, null, { code: "EACCES" }]) {
    const error = asLonghandError(thrown);
    assert.equal(error.code, "internal");
    assert.match(error.hint, /--debug/);
  }
  const own = new LonghandError("usage", "a", { hint: "b" });
  assert.equal(asLonghandError(own), own);
});

test("a process at its limit of open files reports how to raise it", () => {
  const refused = Object.assign(new Error("EMFILE: too many open files, open 'x'"), { code: "EMFILE" });
  const loader = new Error("Cannot read package config /x/package.json: too many open files.");
  for (const thrown of [refused, loader]) {
    const error = asLonghandError(thrown);
    assert.equal(error.code, "too-many-open-files");
    assert.match(error.hint, /ulimit -n/);
  }
});

test("2 is for what the user has to change on the command line or in the configuration, 1 for the rest", () => {
  const codes = ["usage", "config-invalid", "workspace-missing", "internal"] as const;
  assert.deepEqual(
    codes.map((code) => exitCodeOf(new LonghandError(code, "", { hint: "" }))),
    [2, 2, 1, 1],
  );
});

test("a path in a message cannot repaint the terminal", () => {
  const error = new LonghandError("workspace-missing", "No /tmp/\u001b[2J here.", { hint: "-" });
  assert.ok(!renderFailure(error, { paint, debug: false }).includes("\u001b"));
});
