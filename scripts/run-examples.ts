/** `npm run examples`: runs every program in examples/. Each checks its own result and exits non-zero otherwise. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "..", "examples");
const programs = readdirSync(folder).filter((name) => name.endsWith(".ts"));
const loader = new URL("longhand-from-source.ts", import.meta.url).href;

const failed = programs.filter((name) => {
  console.log(`\n— examples/${name}`);
  const run = spawnSync(process.execPath, ["--import", loader, path.join(folder, name)], {
    stdio: "inherit",
  });
  return run.status !== 0;
});
console.log(`\n${programs.length - failed.length} of ${programs.length} examples passed.`);
if (failed.length > 0 || programs.length === 0) process.exitCode = 1;
