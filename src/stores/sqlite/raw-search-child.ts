import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { messageOf, systemErrorCode } from "../../errors.ts";
import { createNeedleSearch } from "../needle-search.ts";
import type { RawSearch } from "./raw-search.ts";

/*
 * The child process of `raw-search.ts`: reads files and needles from standard input and prints the numbers of the
 * needles it found.
 */
const { files, needles } = JSON.parse(readFileSync(0, "utf8")) as {
  files: readonly string[];
  needles: readonly string[];
};
const { longest, find } = createNeedleSearch(needles);
const found = new Set<number>();
const block = Buffer.alloc((1 << 22) + longest);
process.stdout.write(JSON.stringify(searchAll()));

function searchAll(): RawSearch {
  try {
    for (const file of files) searchFile(file);
    return { found: [...found].sort((a, b) => a - b) };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return { problem: messageOf(error), isUnreadable: true };
  }
}

function searchFile(file: string): void {
  const fd = open(file);
  if (fd === null) return;
  let kept = 0;
  for (;;) {
    const count = readSync(fd, block, kept, block.length - kept, null);
    const length = kept + count;
    const end = count === 0 ? length : Math.max(0, length - longest + 1);
    find(block.subarray(0, length), end, found);
    if (count === 0) break;
    block.copyWithin(0, end, length);
    kept = length - end;
  }
  closeSync(fd);
}

function open(file: string): number | null {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}
