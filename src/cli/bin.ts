#!/usr/bin/env node
import { nodeVersionProblem } from "../node-version.ts";
// This file and those it imports also have to load on a Node that is too old, to find another one or to say so.
import { delayOptimizing } from "./delay-optimizing.ts";
import { isHookCall } from "./is-hook-call.ts";
import { limitHeap } from "./limit-heap.ts";

if (nodeVersionProblem(process.versions.node) === null) {
  // First, because compiled code is kept for one set of flags.
  if (isHookCall(process.argv.slice(2))) delayOptimizing("hook");
  else if (process.argv[2] === "search") delayOptimizing("search");
  else if (process.argv[2] === "index") limitHeap();
  keepCompiledCode();
  const { runProcess } = await import("./main.ts");
  await runProcess();
} else {
  const { runOnOtherNode } = await import("./other-node.ts");
  const result = await runOnOtherNode(process.argv);
  if (typeof result === "number") {
    process.exitCode = result;
  } else {
    process.stderr.write(`${result.problem}\n`);
    process.exitCode = isHookCall(process.argv.slice(2)) ? 0 : 1;
  }
}

/**
 * Keeps compiled code between starts. Code is run from the folder, so it must be one that only this user can write to:
 * in the folder that Node would choose, another user of the machine could have put a cache of their own.
 */
function keepCompiledCode(): void {
  try {
    // Not imported: this is loaded on a Node that is too old, too, which may lack some of it.
    const { existsSync, lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
    const { enableCompileCache } = process.getBuiltinModule("node:module");
    const { tmpdir } = process.getBuiltinModule("node:os");
    const { join } = process.getBuiltinModule("node:path");
    // Windows has no user ids, and its folder for temporary files belongs to one user.
    const uid = process.getuid?.();
    const dir = join(tmpdir(), `longhand-compile-cache-${uid ?? "user"}`);
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
    const found = lstatSync(dir);
    const isPrivate = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
    if (found.isDirectory() && isPrivate) enableCompileCache(dir);
  } catch {
    // Without the cache everything works, a little later.
  }
}
