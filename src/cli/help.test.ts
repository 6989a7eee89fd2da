import assert from "node:assert/strict";
import { test } from "node:test";
import { commandGroups, commands } from "./commands.ts";
import { globalOptions } from "./global-options.ts";
import { renderCommandHelp, renderOverview } from "./help.ts";

const look = { paint: (_: unknown, text: string) => text, width: 72 };

test("the overview names every command and every global option", () => {
  const text = renderOverview(look);
  for (const { name, summary } of commands) {
    assert.match(text, new RegExp(`^  ${name} +${summary.slice(0, 30)}`, "m"));
  }
  for (const { flags } of globalOptions) assert.ok(text.includes(flags), flags);
});

test("the overview groups the commands, each on one line of 80 columns", () => {
  const text = renderOverview({ ...look, width: 80 });
  for (const { title, commands: group } of commandGroups) {
    const [, section = ""] = text.split(`${title}:\n`);
    const lines = section.split("\n\n")[0]!.split("\n");
    assert.deepEqual(
      lines.map((line) => line.trim().split(/ {2,}/)),
      group.map(({ name, summary }) => [name, summary]),
    );
  }
});

test("a command's help holds usage, arguments, options and examples, and no line is too wide", () => {
  for (const command of commands) {
    const text = renderCommandHelp(command, look);
    assert.ok(text.startsWith(`Usage: longhand ${command.name}`));
    for (const { flags } of command.options) assert.ok(text.includes(`  ${flags} `), flags);
    for (const { command: line } of command.examples) assert.ok(text.includes(`  ${line}\n`), line);
    const prose = text.split("Examples:")[0] ?? "";
    for (const line of prose.split("\n")) assert.ok(line.length <= look.width, line);
  }
});
