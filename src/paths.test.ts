import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import { isWithin } from "./paths.ts";

test("a folder contains itself and everything below it, and nothing else", () => {
  for (const [place, folder, expected] of [
    ["/home/ann", "/home/ann", true],
    ["/home/ann/notes", "/home/ann", true],
    ["/home/ann/..notes", "/home/ann", true],
    ["/home/ann", "/home/ann/notes", false],
    ["/home/annette", "/home/ann", false],
    ["/home/ann", "/", true],
  ] as const)
    assert.equal(isWithin(place, folder, posix), expected, `${place} in ${folder}`);
});

test("on Windows, another drive or share is outside", () => {
  const share = "\\\\nas\\home\\ann";
  for (const [place, folder, expected] of [
    ["C:\\Users\\ann\\.longhand", "C:\\Users\\ann", true],
    ["C:\\users\\ANN\\.longhand", "c:\\Users\\ann", true],
    ["D:\\notes", "C:\\Users\\ann", false],
    [share, "C:\\projects\\app", false],
    ["C:\\projects\\app", share, false],
    [`${share}\\.longhand`, share, true],
    [share, "\\\\nas\\other", false],
  ] as const)
    assert.equal(isWithin(place, folder, win32), expected, `${place} in ${folder}`);
});
