import { spawn } from "node:child_process";
import { once } from "node:events";
import { finish } from "../support/child-process.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

/** Replaces, removes and recreates a note as fast as it can; every version is complete when it gets its name. */
const swapper = `
  const { writeFileSync, renameSync, rmSync } = require("node:fs");
  const file = process.argv[1];
  process.stdout.write("ready");
  for (let version = 0; ; version++) {
    writeFileSync(file + ".tmp", ("Version " + version + " of the text.\\n").repeat(2000));
    renameSync(file + ".tmp", file);
    if (version % 7 === 6) rmSync(file);
  }`;

export const swappedWhileRead: Fault = {
  name: "swapped-while-read",
  what: "another process replaces and removes a note without pause while it is read and indexed: never a mix of two",
  shortCycles: 40,
  longCycles: 5000,
  run: runSwappedWhileRead,
};

async function runSwappedWhileRead(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder, { notes: 2 });
  const child = spawn(process.execPath, ["-e", swapper, fixture.at("memory/swapped.md")]);
  const ended = finish(child);
  await Promise.race([once(child.stdout, "data"), ended]);
  const seen = new Set<string>();
  try {
    await using memory = await fixture.open();
    for (const cycle of tally.cycles(options)) {
      try {
        const { text } = await memory.readFile({ relPath: "memory/swapped.md", lines: 2000 });
        const versions = new Set(text.split("\n").filter((line) => line !== ""));
        if (versions.size > 1)
          tally.divergences.push(`cycle ${cycle}: read ${[...versions].slice(0, 2).join(" and ")}`);
        for (const version of versions) seen.add(version);
        if (cycle % 10 === 0) await memory.sync();
      } catch (error) {
        // Such a file may keep changing for longer than a reader retries; then the reader must say so.
        if ((error as { code?: string }).code !== "note-unreadable") {
          tally.errors.push(`cycle ${cycle}: ${describeError(error)}`);
        }
      }
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  await fixture.compare(tally, "at the end");
  tally.notes.push(`${seen.size} versions seen`);
  return tally.result();
}
