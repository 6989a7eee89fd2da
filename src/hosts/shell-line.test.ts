import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { skipOnWindows } from "../../test/support/platform.ts";
import { wordsInPowerShell } from "../../test/support/powershell-words.ts";
import { cmdLine, jsonWord, powerShellLine, shellLine, splitLine } from "./shell-line.ts";

const words = [
  "node",
  "C:\\Program Files\\longhand\\bin.js",
  "hook",
  "session-start",
  "--workspace",
  "D:\\my notes",
];

test("a command for Windows begins with an unquoted word and has no backslash in a path", () => {
  const line = `node "C:/Program Files/longhand/bin.js" hook session-start --workspace "D:/my notes"`;
  assert.equal(shellLine(words, "win32"), line);
  assert.equal(shellLine(["longhand", "hook", "user-prompt"], "win32"), "longhand hook user-prompt");
  assert.equal(shellLine(["x", "\\\\nas\\notes"], "win32"), `x "//nas/notes"`);
});

test("in PowerShell, the path of a program is not a string, unless it needs quotes", () => {
  const program = ["C:\\tools\\node.exe", "hook"];
  assert.equal(shellLine(program, "win32"), "C:/tools/node.exe hook");
  assert.equal(shellLine(["C:\\my tools\\node.exe", "hook"], "win32"), `"C:/my tools/node.exe" hook`);
  assert.equal(powerShellLine(["C:\\my tools\\node.exe", "hook"], "win32"), "& 'C:/my tools/node.exe' hook");
  assert.equal(powerShellLine(["longhand", "hook"], "win32"), "longhand hook");
  assert.equal(powerShellLine(["/opt/my node", "hook"], "linux"), "'/opt/my node' hook");
});

const nameOnWindows = fc
  .string({ unit: fc.constantFrom(..."ab9 .-_~@#$%&'‘’()+,;=[]`{}!^äß日🙂"), minLength: 1, maxLength: 12 })
  .filter((name) => !/^\s|[\s.]$/.test(name));
const folderOnWindows = fc
  .tuple(
    fc.constantFrom("C:\\", "D:\\", "\\\\nas\\"),
    fc.array(nameOnWindows, { minLength: 1, maxLength: 3 }),
  )
  .map(([root, names]) => root + names.join("\\"));

test("PowerShell passes every path to the program unchanged, with slashes", () => {
  fc.assert(
    fc.property(folderOnWindows, folderOnWindows, (program, workspace) => {
      const given = [program, "hook", "user-prompt", "--workspace", workspace];
      assert.deepEqual(
        wordsInPowerShell(powerShellLine(given, "win32")),
        given.map((word) => word.replaceAll("\\", "/")),
      );
    }),
  );
});

/** A path that needs both kinds of quotes cannot be written the same way for both shells. */
const folderForBoth = folderOnWindows.filter((folder) => !(/[$`]/.test(folder) && /['‘’]/.test(folder)));

test("PowerShell splits a command that is also meant for Git Bash as intended", () => {
  fc.assert(
    fc.property(folderForBoth, folderForBoth, (program, workspace) => {
      const given = ["node", program, "hook", "user-prompt", "--workspace", workspace];
      assert.deepEqual(
        wordsInPowerShell(shellLine(given, "win32")),
        given.map((word) => word.replaceAll("\\", "/")),
      );
    }),
  );
});

test("JSON among the words has no backslashes except before quotes", () => {
  const json = jsonWord({ command: "C:\\node.exe", args: ["\\\\nas\\bin.js"] }, "win32");
  assert.deepEqual(JSON.parse(json), { command: "C:/node.exe", args: ["//nas/bin.js"] });
  assert.equal(shellLine(["x", json], "win32").replaceAll('\\"', "").includes("\\"), false);
  assert.equal(jsonWord("a\\b", "linux"), '"a\\\\b"');
});

test("bash, such as Git Bash, splits the command as intended", {
  skip: skipOnWindows("needs bash"),
}, () => {
  const folders = fc.sample(folderForBoth, { numRuns: 200, seed: 24 });
  const given = [...words.slice(1), ...folders];
  const line = shellLine(["node", ...given], "win32").replace(/^node/, "printf '%s\\n'");
  const { stdout } = spawnSync("bash", ["-c", line], { encoding: "utf8" });
  assert.deepEqual(
    stdout.trimEnd().split("\n"),
    given.map((word) => word.replaceAll("\\", "/")),
  );
});

test("a line that was written here can be split again, and one that does more cannot", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (given) => {
      assert.deepEqual(splitLine(shellLine(given, "linux")), given);
    }),
  );
  const hook = ["C:\\my tools\\node.exe", "C:\\x\\bin.js", "hook"];
  const shown = ["C:/my tools/node.exe", "C:/x/bin.js", "hook"];
  assert.deepEqual(splitLine(shellLine(hook, "win32")), shown);
  assert.deepEqual(splitLine(powerShellLine(hook, "win32")), shown);
  assert.equal(splitLine(powerShellLine(["C:\\Ada's\\node.exe", "hook"], "win32")), null);
  for (const line of [
    "cd x && longhand hook",
    "longhand hook; rm x",
    "$HOME/longhand hook",
    "a 'b",
    "`x` hook",
  ])
    assert.equal(splitLine(line), null, line);
});

test("for cmd, every word that is not plain is quoted", () => {
  assert.equal(cmdLine(["C:\\a b\\node.exe", "x", 'say "hi"']), `"C:\\a b\\node.exe" x "say ""hi"""`);
});

test("cmd splits the command as intended", {
  skip: process.platform !== "win32" && "needs cmd",
}, () => {
  const line = cmdLine([process.execPath, "-p", "JSON.stringify(process.argv.slice(1))", "a b", "c&d", "e"]);
  const { stdout } = spawnSync(line, { encoding: "utf8", shell: true });
  assert.deepEqual(JSON.parse(stdout), ["a b", "c&d", "e"]);
});
