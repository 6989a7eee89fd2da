import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { finish, startProgram } from "../../../test/support/child-process.ts";
import { until } from "../../../test/support/hang-limit.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { runProgram } from "./run-program.ts";

/** Starts a program that never exits, which starts another, and records the ids of both. */
const program = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  writeFileSync(process.argv[2], [process.pid, other.pid].join(" "));
  setInterval(() => {}, 1000);`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const idsIn = (file: string) => readFileSync(file, "utf8").split(" ").map(Number);

test("killing a program also kills everything it has started", async (t) => {
  const folder = makeTemporaryFolder(t, { "program.mjs": program });
  const aborting = new AbortController();
  const running = runProgram({
    program: process.execPath,
    arguments: [folder.at("program.mjs"), folder.at("ids")],
    folder: folder.dir,
    environment: process.env as Record<string, string>,
    shown: "the program",
    timeoutMs: 3_600_000,
    signal: aborting.signal,
  });
  const rejected = assert.rejects(running, { code: "aborted" });
  await until(() => existsSync(folder.at("ids")) && idsIn(folder.at("ids")).length === 2, "it started");
  aborting.abort();
  await rejected;
  for (const pid of idsIn(folder.at("ids"))) await until(() => !isAlive(pid), `${pid} ended`);
});

test("when a process is killed, its programs exit, too", async (t) => {
  const folder = makeTemporaryFolder(t, { "program.mjs": program });
  const child = startProgram(
    t,
    `import { runProgram } from ${JSON.stringify(new URL("./run-program.ts", import.meta.url).href)};
    const [script, ids] = process.argv.slice(1);
    await runProgram({ program: process.execPath, arguments: [script, ids], folder: ".", environment: process.env,
      shown: "the program", timeoutMs: 3_600_000 });`,
    [folder.at("program.mjs"), folder.at("ids")],
  );
  const ended = finish(child);
  await until(() => existsSync(folder.at("ids")) && idsIn(folder.at("ids")).length === 2, "it started");
  child.kill("SIGKILL");
  await ended;
  for (const pid of idsIn(folder.at("ids"))) await until(() => !isAlive(pid), `${pid} ended`);
});
