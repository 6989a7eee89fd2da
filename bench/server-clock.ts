import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

/** The CPU time of a server so far, in milliseconds. */
export type ServerClock = () => number;

const msPerTick = 10;

/** Of a PostgreSQL server on this machine, with all of its processes; null if they cannot be seen. */
export async function findServerClock(url: string): Promise<ServerClock | null> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    const backend = readProcess(rows[0].pid);
    if (backend?.name !== "postgres") return null;
    return () => sumTicks(backend.parent) * msPerTick;
  } finally {
    await client.end();
  }
}

interface ServerProcess {
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
  /** Of its processes that have ended. */
  readonly endedTicks: number;
}

function sumTicks(parent: number): number {
  const living = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((each) => each?.parent === parent);
  return (readProcess(parent)?.endedTicks ?? 0) + living.reduce((sum, each) => sum + each!.ticks, 0);
}

/** Null if there is no such process, or no `/proc`. */
function readProcess(pid: number): ServerProcess | null {
  try {
    const [, name = "", rest = ""] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const fields = rest.split(" ").map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (place) => fields[place],
    );
    return { name, parent, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch {
    return null;
  }
}
