import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import json5 from "json5";
import { openSessionStore } from "../src/open-session-store.ts";

/**
 * What the session store costs, and whether it loses anything:
 * `node bench/session-store.ts [PROCESSES] [UPDATES]`, 8 and 1000 when left out.
 */
const [processes = 8, updates = 1000] = process.argv.slice(2).map(Number);
const stateDir = mkdtempSync(join(tmpdir(), "longhand-bench-"));
const registry = join(stateDir, "agents", "main", "sessions", "registry.json5");
const program = `
import { openSessionStore } from ${JSON.stringify(new URL("../src/open-session-store.ts", import.meta.url).href)};
const store = openSessionStore({ agent: "main", stateDir: process.argv[2] });
for (let number = 0; number < Number(process.argv[3]); number++) {
  await store.update("agent:main:main", (entry) => ({ ...entry, count: Number(entry.count ?? 0) + 1 }));
}
process.stdout.write(process.argv[3]);
`;

try {
  const startedAt = performance.now();
  let running = processes;
  // Written once, before the first child starts: a child must not read it while it is written.
  const script = join(stateDir, "program.ts");
  writeFileSync(script, program);
  let reported = 0;
  const children = Array.from({ length: processes }, async () => {
    const child = spawn(process.execPath, [script, stateDir, String(updates)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.on("data", (data) => {
      reported += Number(data);
    });
    const [code] = await once(child, "close");
    running--;
    if (code !== 0) process.exitCode = 1;
  });
  let looks = 0;
  while (running > 0) {
    if (existsSync(registry)) {
      json5.parse(readFileSync(registry, "utf8"));
      looks++;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(children);
  const seconds = (performance.now() - startedAt) / 1000;
  const count = (await openSessionStore({ stateDir }).get("agent:main:main"))?.["count"];
  console.log(
    `${processes} processes × ${updates} updates: ${reported} reported as done, ${count} kept, ` +
      `${seconds.toFixed(1)} s, whole JSON5 in ${looks} of ${looks} looks`,
  );
  if (count !== processes * updates) process.exitCode = 1;

  const other = join(stateDir, "many");
  mkdirSync(join(other, "agents", "main", "sessions"), { recursive: true });
  const entries = Array.from({ length: 10_000 }, (_, number) => {
    const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const entry = {
      sessionId,
      sessionFile: `chats/${sessionId}.json5`,
      updatedAt: number,
      totalTokens: 5,
      channel: "cli",
    };
    return `${JSON.stringify(`agent:main:direct:${number}`)}: ${JSON.stringify(entry)}`;
  });
  writeFileSync(
    join(other, "agents", "main", "sessions", "registry.json5"),
    `{\n${entries.join(",\n")}\n}\n`,
  );
  for (let round = 1; round <= 5; round++) {
    const openedAt = performance.now();
    await openSessionStore({ stateDir: other }).get("agent:main:direct:9999");
    console.log(
      `10,000 sessions, open and get, run ${round}: ${(performance.now() - openedAt).toFixed(1)} ms`,
    );
  }
} finally {
  rmSync(stateDir, { recursive: true, force: true });
}
