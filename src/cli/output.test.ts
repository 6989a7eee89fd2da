import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createOutput, type OutputOptions } from "./output.ts";
import { wrapText } from "./text-width.ts";

interface Screen {
  readonly stream: NodeJS.WriteStream;
  text(): string;
}

function open({ isTTY }: { isTTY: boolean }): Screen {
  const stream = new PassThrough();
  const look = { isTTY, columns: isTTY ? 90 : undefined, getColorDepth: () => 8 };
  return {
    stream: Object.assign(stream, look) as unknown as NodeJS.WriteStream,
    text: () => String(stream.read() ?? ""),
  };
}

function start(options: Partial<OutputOptions>, { isTTY }: { isTTY: boolean }) {
  const [stdout, stderr] = [open({ isTTY }), open({ isTTY })];
  const all = { json: false, quiet: false, color: true, ...options };
  return { output: createOutput(all, { stdout: stdout.stream, stderr: stderr.stream }), stdout, stderr };
}

test("a result is rendered for people, and is one line of JSON for programs", () => {
  const people = start({}, { isTTY: false });
  people.output.show({ a: 1 }, () => "text");
  assert.equal(people.stdout.text(), "text\n");
  const programs = start({ json: true }, { isTTY: true });
  programs.output.show({ a: 1 }, () => assert.fail("not rendered"));
  assert.equal(programs.stdout.text(), '{"a":1}\n');
});

test("an empty text prints nothing, and a final line break is not doubled", () => {
  const { output, stdout } = start({}, { isTTY: false });
  output.show(null, () => "");
  output.show(null, () => "line\n");
  assert.equal(stdout.text(), "line\n");
});

test("notes go to stderr, and are left out with --quiet and --json", () => {
  for (const [options, expected] of [
    [{}, "hint\n"],
    [{ quiet: true }, ""],
    [{ json: true }, ""],
  ] as const) {
    const { output, stdout, stderr } = start(options, { isTTY: false });
    output.note("hint");
    assert.equal(stderr.text(), expected);
    assert.equal(stdout.text(), "");
  }
});

test("a summary is wrapped between words on a terminal, and left alone in a pipe", () => {
  const summary = `${"twelve words ".repeat(8)}5.4 s`;
  const wrapped = wrapText(summary, start({}, { isTTY: true }).output.view.width).split("\n");
  assert.deepEqual(
    wrapped.map((line) => line.length <= 90 && !line.endsWith("5.")),
    [true, true],
  );
  assert.equal(wrapText(summary, start({}, { isTTY: false }).output.view.width), summary);
});

test("links, width and a bar are for terminals", () => {
  const { output: there } = start({}, { isTTY: true });
  assert.equal(there.view.width, 90);
  assert.equal(there.bar?.columns, 90);
  assert.equal(there.view.link("a", "file:///a"), "\u001b]8;;file:///a\u001b\\a\u001b]8;;\u001b\\");
  const { output: elsewhere } = start({}, { isTTY: false });
  assert.equal(elsewhere.view.width, Number.POSITIVE_INFINITY);
  assert.equal(elsewhere.bar, null);
  assert.equal(elsewhere.view.link("a", "file:///a"), "a");
  assert.equal(start({ quiet: true }, { isTTY: true }).output.bar, null);
});

test("--no-color leaves out colours and links, also on a terminal", () => {
  const { output } = start({ color: false }, { isTTY: true });
  assert.equal(output.view.paint("bold", "x"), "x");
  assert.equal(output.view.link("a", "file:///a"), "a");
});
