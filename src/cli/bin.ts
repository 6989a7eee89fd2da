#!/usr/bin/env node
import { findResidentSocket } from "../config/resident-socket.ts";
import { nodeVersionProblem } from "../node-version.ts";
import type { Caller } from "./caller.ts";
// This file and its imports also have to load on an outdated Node, which then runs another one or reports what to
// install.
import { isHookCall } from "./is-hook-call.ts";
import { keepCompiledCode } from "./keep-compiled-code.ts";
import { isBuilt } from "./resident/build-id.ts";
import { delayOptimizing, limitHeap } from "./v8-flags.ts";

const argv = process.argv.slice(2);
const brief = isHookCall(argv) ? "hook" : argv[0] === "search" ? "search" : null;

if (nodeVersionProblem(process.versions.node) === null) {
  const answer = brief === null ? null : await askRunningProcess();
  if (typeof answer === "number") process.exit(answer);
  await run(answer ?? undefined);
} else {
  const { runOnOtherNode } = await import("./other-node.ts");
  const result = await runOnOtherNode(process.argv);
  if (typeof result === "number") {
    process.exitCode = result;
  } else {
    process.stderr.write(`${result.problem}\n`);
    process.exitCode = brief === "hook" ? 0 : 1;
  }
}

/** Resolves with the exit code if another process has answered, otherwise with the input that it was given, or null. */
async function askRunningProcess(): Promise<number | Caller["input"] | null> {
  const socket = isBuilt ? findResidentSocket(argv) : null;
  if (socket === null) return null;
  try {
    const { askResident } = await import("./resident/ask-resident.ts");
    return await askResident(socket, argv);
  } catch {
    // The current folder was deleted, or the package is being replaced, for example.
    return null;
  }
}

async function run(taken?: Caller["input"]): Promise<void> {
  // First, because the compile cache is only valid for one set of flags.
  if (brief !== null) delayOptimizing(brief);
  else if (argv[0] === "index") limitHeap();
  keepCompiledCode();
  const { runProcess } = await import("./main.ts");
  await runProcess(taken);
}
