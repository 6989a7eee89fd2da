import assert from "node:assert/strict";
import { test } from "node:test";
import { showHidden } from "./visible.ts";

test("escape sequences cannot reach the terminal", () => {
  assert.equal(showHidden("a\u001b[2Jb\u0007\u009b31m"), "a<U+001B>[2Jb<U+0007><U+009B>31m");
});

test("characters that turn the direction or hide text are shown by their code points", () => {
  assert.equal(showHidden("pay\u202etxt\u200b\u{e0041}"), "pay<U+202E>txt<U+200B><U+E0041>");
});

test("ordinary text of any script, tabs, line ends and emoji stay as they are", () => {
  const text = "Überblick\t日本語\nсловарь می‌خواهم 👩‍💻";
  assert.equal(showHidden(text), text);
  assert.equal(showHidden("a\r\nb"), "a\nb");
});
