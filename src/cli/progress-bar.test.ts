import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress, whileShown } from "./progress-bar.ts";

function screen(columns: number) {
  const written: string[] = [];
  return {
    columns,
    written,
    paint: (_: unknown, text: string) => text,
    write: (text: string) => void written.push(text),
  };
}

const take = (text = "") => text.replace("\r\u001b[2K", "");

test("the bar shows percentage, count, rate and the current item", () => {
  const stream = screen(60);
  const times = [0, 1000];
  const progress = createProgress(stream, () => times.shift() ?? 1000);
  progress.report({ completed: 50, total: 100, label: "memory/a.md" });
  assert.equal(take(stream.written[0]), "━━━━━━━━─────── 50/100 · 50/s  memory/a.md");
});

test("it is drawn at most every 80 ms, but the end is always drawn", () => {
  const stream = screen(60);
  const times = [0, 0, 10, 20, 100, 101];
  const progress = createProgress(stream, () => times.shift() ?? 0);
  for (const completed of [1, 2, 3, 4, 5]) progress.report({ completed, total: 5, label: "" });
  assert.equal(stream.written.length, 3);
});

test("a long label keeps its end and the line never wraps", () => {
  const stream = screen(40);
  const progress = createProgress(stream, () => 0);
  progress.report({ completed: 1, total: 2, label: `memory/${"日".repeat(40)}/the-end.md` });
  const line = take(stream.written[0]);
  assert.match(line, /…日*\/the-end\.md$/);
});

test("control characters in a label are not written", () => {
  const stream = screen(80);
  createProgress(stream, () => 0).report({ completed: 1, total: 1, label: "a\u001b[31mb\n" });
  assert.ok(take(stream.written[0]).endsWith("a[31mb"));
});

test("clearing removes the bar once, and only when there is one", () => {
  const stream = screen(60);
  const progress = createProgress(stream, () => 0);
  progress.clear();
  progress.report({ completed: 1, total: 1, label: "" });
  progress.clear();
  progress.clear();
  assert.equal(stream.written.length, 2);
  assert.equal(stream.written[1], "\r\u001b[2K");
});

test("without a terminal nothing happens", () => {
  const progress = createProgress(null);
  progress.report({ completed: 1, total: 1, label: "x" });
  progress.clear();
});

test("each phase has its own rate: restarting the count restarts the clock", () => {
  const stream = screen(60);
  const times = [0, 1000, 2000, 3000];
  const progress = createProgress(stream, () => times.shift() ?? 3000);
  progress.report({ completed: 100, total: 100, label: "memory/a.md" });
  progress.report({ completed: 0, total: 100, label: "embedding" });
  progress.report({ completed: 50, total: 100, label: "embedding" });
  assert.match(take(stream.written.at(-1)), /50\/100 · 50\/s {2}embedding$/);
});

test("a long step is shown until it ends, also if it fails", async () => {
  const stream = screen(60);
  await whileShown(stream, "Reading …", async () => assert.deepEqual(stream.written, ["Reading …"]));
  const failure = whileShown(stream, "Reading …", () => Promise.reject(new Error("full")));
  await assert.rejects(failure, /full/);
  assert.deepEqual(stream.written, ["Reading …", "\r\u001b[2K", "Reading …", "\r\u001b[2K"]);
  assert.equal(await whileShown(null, "Reading …", async () => 7), 7);
});
