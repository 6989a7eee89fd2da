import assert from "node:assert/strict";
import { chmodSync, symlinkSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { test } from "node:test";
import { skipWithoutLinks } from "../../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findQmd, findVersionProblem } from "./find-qmd.ts";

test("the first program of that name on the search path is used, and its package is found through links", {
  skip: skipWithoutLinks,
}, (t) => {
  const folder = makeTemporaryFolder(t, {
    "first/qmd/note.txt": "a folder of that name is no program",
    "second/qmd": "not a program",
    "lib/node_modules/@tobilu/qmd/package.json": JSON.stringify({ name: "@tobilu/qmd", version: "2.9.1" }),
    "lib/node_modules/@tobilu/qmd/bin/qmd": "#!/bin/sh\n",
    "lib/node_modules/@tobilu/qmd/dist/cli/qmd.js": "",
    "third/other": "",
  });
  const target = folder.at("lib/node_modules/@tobilu/qmd/bin/qmd");
  chmodSync(target, 0o755);
  symlinkSync(target, folder.at("third/qmd"));
  const searchPath = ["relative", ...["first", "second", "third"].map(folder.at)].join(delimiter);
  const found = findQmd("qmd", { searchPath, besideFolder: folder.dir });
  assert.equal(found.version, "2.9.1");
  assert.equal(found.packageFolder, folder.at("lib/node_modules/@tobilu/qmd"));
  assert.deepEqual(found.arguments, [join(found.packageFolder, "dist/cli/qmd.js")]);
  assert.equal(found.program, process.execPath);
});

test("on Windows the package is found behind the scripts that npm and pnpm install", (t) => {
  const scripts = {
    npm: ["npm", "%dp0%\\node_modules\\@tobilu\\qmd\\bin\\qmd"],
    pnpm: ["pnpm", "%~dp0\\global\\5\\node_modules\\@tobilu\\qmd\\bin\\qmd"],
    "Git Bash": ["npm", "$basedir/node_modules/@tobilu/qmd/bin/qmd"],
    "a project": ["app/node_modules/.bin", "%dp0%\\..\\@tobilu\\qmd\\bin\\qmd"],
  } as const;
  for (const [title, [place, named]] of Object.entries(scripts)) {
    const folder = makeTemporaryFolder(t);
    const inside = named
      .replace(/^[%$]~?\w+%?[\\/]/, "")
      .replaceAll("\\", "/")
      .replace(/\/bin\/qmd$/, "");
    const packageFolder = join(folder.at(place), inside);
    for (const [name, text] of Object.entries({
      "package.json": JSON.stringify({ name: "@tobilu/qmd", version: "2.9.1" }),
      "dist/cli/qmd.js": "",
    }))
      folder.write(relative(folder.dir, join(packageFolder, name)), text);
    const script = folder.write(
      `${place}/${named.startsWith("$") ? "qmd" : "qmd.cmd"}`,
      `IF EXIST "%dp0%\\node.exe" (\r\n)\r\n"%_prog%"  "${named}" %*\r\n`,
    );
    chmodSync(script, 0o755);
    const found = findQmd("qmd", {
      searchPath: folder.at(place),
      besideFolder: folder.dir,
      platform: "win32",
    });
    assert.deepEqual(
      found,
      {
        program: process.execPath,
        arguments: [join(packageFolder, "dist", "cli", "qmd.js")],
        packageFolder,
        version: "2.9.1",
      },
      title,
    );
  }
});

test("a program beside the package is found, and one at a path", (t) => {
  const folder = makeTemporaryFolder(t, { "app/node_modules/.bin/qmd": "#!/bin/sh\n", "app/src/a.ts": "" });
  const program = folder.at("app/node_modules/.bin/qmd");
  chmodSync(program, 0o755);
  for (const command of ["qmd", program]) {
    const found = findQmd(command, { searchPath: "", besideFolder: folder.at("app/src") });
    assert.deepEqual(found, { program, arguments: [], packageFolder: null, version: null });
  }
});

test("a missing program is named with the command that installs it", (t) => {
  const folder = makeTemporaryFolder(t);
  const options = { searchPath: folder.dir, besideFolder: folder.dir };
  assert.throws(
    () => findQmd("qmd-that-is-nowhere", options),
    (error: Error & { code: string; hint: string }) => {
      assert.equal(error.code, "backend-failed");
      assert.match(error.message, /qmd-that-is-nowhere/);
      assert.match(error.hint, /npm install -g @tobilu\/qmd/);
      return true;
    },
  );
});

test("a version that is too old, or none, is refused", () => {
  for (const version of ["2.8.3", "qmd 2.8.3 (facd35e)", "2.10.0", "3.0.0"]) {
    assert.equal(findVersionProblem(version), null, version);
  }
  for (const version of ["1.9.9", "2.7.12", "qmd 0.1.0", "", "garbage"]) {
    assert.notEqual(findVersionProblem(version), null, version);
  }
});
