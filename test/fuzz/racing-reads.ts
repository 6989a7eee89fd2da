import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { LonghandError } from "../../src/errors.ts";
import type { Location } from "../../src/notes/locate.ts";
import { openNote } from "../../src/notes/open-note.ts";
import { swapperSource } from "../support/swapper.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

/** Reads of a note while another process keeps swapping its folder for a symlink that leads outside. */
export const fuzzRacingReads: FuzzSuite = async ({ count, dir }) => {
  const at = (name: string): string => path.join(dir, name);
  for (const [name, text] of [
    ["work/memory/sub/a.md", "inside"],
    ["out/a.md", "outside"],
  ] as const) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const relative = "memory/sub/a.md";
  const location: Location = { path: relative, root: at("work"), relative, isWritable: true };
  const argv = [
    "--input-type=module-typescript",
    "-e",
    swapperSource,
    "--",
    at("work/memory/sub"),
    at("out"),
  ];
  const swapper = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "ignore"] });
  const tally = createTally();
  const counts = { read: 0, refused: 0, absent: 0 };
  try {
    await once(swapper.stdout, "data");
    for (let turn = 0; turn < count; turn++) {
      try {
        const note = openNote(location);
        if (note === null) {
          counts.absent++;
          continue;
        }
        const text = readFileSync(note.fd, "utf8");
        closeSync(note.fd);
        if (text === "inside") counts.read++;
        else tally.fail(`read ${JSON.stringify(text)}`);
      } catch (error) {
        if (error instanceof LonghandError && /^(?:path-outside-memory|note-unreadable)$/.test(error.code)) {
          counts.refused++;
        } else {
          tally.fail(String(error));
        }
      }
    }
  } finally {
    swapper.kill("SIGKILL");
    await once(swapper, "close");
  }
  return tally.report(count, `${counts.read} read, ${counts.refused} refused, ${counts.absent} absent`);
};
