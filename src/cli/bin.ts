#!/usr/bin/env node
// This file and those it imports also have to load on a Node that is too old, to say so in plain words.
import { keepCompiledCode } from "./compile-cache.ts";
import { meansHook } from "./means-hook.ts";
import { nodeVersionProblem } from "./node-version.ts";

const problem = nodeVersionProblem(process.versions.node);
if (problem === null) {
  keepCompiledCode();
  const { runProcess } = await import("./process.ts");
  await runProcess();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = meansHook(process.argv.slice(2)) ? 0 : 1;
}
