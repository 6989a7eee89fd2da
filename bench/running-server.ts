import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtCommand } from "./built-package.ts";

interface Call {
  /** The options that select the memory. */
  readonly places: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Runs some work while a server runs whose resident answers other processes; it is given the resident's id. */
export async function besideServer<Result>(
  { places, env }: Call,
  work: (resident: number) => Promise<Result>,
): Promise<Result> {
  const server = spawn(process.execPath, [builtCommand, "mcp", ...places], {
    env,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  let resident: number | undefined;
  try {
    for (let tries = 0; tries < 200; tries++) {
      const argv = [builtCommand, "search", "anything", "--debug", ...places];
      const { stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
      const [, pid] = /^answered by process (\d+)/m.exec(stderr) ?? [];
      if (pid === undefined) continue;
      resident = Number(pid);
      return await work(resident);
    }
    throw new Error("No resident has answered.");
  } finally {
    server.kill();
    await ended;
    // The next server must not find the resident of this one.
    while (resident !== undefined && isRunning(resident)) await sleep(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The CPU time of a running process so far in milliseconds, including its threads; only Linux says it precisely. */
export function cpuMsUntilNow(pid: number): number {
  if (process.platform !== "linux") return 0;
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ", 1)[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
