import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

/*
 * Ways to change a note. Run as a program, it reads one job per line and prints a line when the last call of the job has
 * returned.
 */

export const savings = ["in-place", "appended", "truncated-first", "moved-over", "anew", "removed"] as const;

export interface Saving {
  readonly saving: (typeof savings)[number];
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

export function saveNote({ saving, file, text }: Saving): void {
  mkdirSync(dirname(file), { recursive: true });
  ways[saving](file, text);
}

const ways: Readonly<Record<Saving["saving"], (file: string, text: string) => void>> = {
  "in-place": (file, text) => writeFileSync(file, text),
  appended: (file, text) => appendFileSync(file, text),
  "truncated-first"(file, text) {
    const handle = openSync(file, "a");
    ftruncateSync(handle, 0);
    writeSync(handle, text);
    closeSync(handle);
  },
  "moved-over"(file, text) {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  },
  anew(file, text) {
    rmSync(file, { force: true });
    writeFileSync(file, text, { flag: "wx" });
  },
  removed: (file) => rmSync(file, { force: true }),
};

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) {
    saveNote(JSON.parse(line) as Saving);
    process.stdout.write("\n");
  }
}
