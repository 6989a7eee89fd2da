#!/usr/bin/env node
// This file and those it imports also have to load on a Node that is too old, to find another one or to say so.
import { keepCompiledCode } from "./compile-cache.ts";
import { meansHook } from "./means-hook.ts";
import { nodeVersionProblem } from "./node-version.ts";

if (nodeVersionProblem(process.versions.node) === null) {
  keepCompiledCode();
  const { runProcess } = await import("./process.ts");
  await runProcess();
} else {
  const { runOnOtherNode } = await import("./other-node.ts");
  const result = await runOnOtherNode(process.argv);
  if (typeof result === "number") {
    process.exitCode = result;
  } else {
    process.stderr.write(`${result.problem}\n`);
    process.exitCode = meansHook(process.argv.slice(2)) ? 0 : 1;
  }
}
