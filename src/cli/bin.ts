#!/usr/bin/env node
import { nodeVersionProblem } from "../node-version.ts";
// This file and its imports also have to load on an outdated Node, which then runs another one or reports what to
// install.
import { delayOptimizing } from "./delay-optimizing.ts";
import { isHookCall } from "./is-hook-call.ts";
import { limitHeap } from "./limit-heap.ts";

if (nodeVersionProblem(process.versions.node) === null) {
  // First, because the compile cache is only valid for one set of flags.
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
 * Enables the compile cache. Code is executed from it, so its folder must be writable only by this user: in Node's
 * default folder, another user of the machine could have planted a cache.
 */
function keepCompiledCode(): void {
  try {
    // Not imported, because an outdated Node, which also loads this, may lack some of it.
    const { existsSync, lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
    const { enableCompileCache } = process.getBuiltinModule("node:module");
    const { tmpdir } = process.getBuiltinModule("node:os");
    const { join } = process.getBuiltinModule("node:path");
    // Windows has no user ids, and its temporary folder belongs to one user.
    const uid = process.getuid?.();
    const dir = join(tmpdir(), `longhand-compile-cache-${uid ?? "user"}`);
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
    const found = lstatSync(dir);
    const isPrivate = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
    if (found.isDirectory() && isPrivate) enableCompileCache(dir);
  } catch {
    // Without the cache everything works, only slower.
  }
}
