import { spawn } from "node:child_process";
import { once } from "node:events";

/** Which of the needles stand anywhere in the bytes of the files, by their index; or why that could not be found out. */
export type RawSearch = { readonly found: readonly number[] } | { readonly problem: string };

const timeoutMs = 120_000;

/**
 * Searches the bytes of files for texts, in a process of its own: to open the files of a database in a process that
 * has it open would drop SQLite's locks when they are closed. The texts go through a pipe, because anybody can see the
 * arguments of a process.
 */
export async function searchRawBytes(
  files: readonly string[],
  needles: readonly string[],
): Promise<RawSearch> {
  if (process.versions["electron"] !== undefined) return { problem: "this host cannot start Node.js" };
  const child = spawn(process.execPath, ["-e", program], {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: timeoutMs,
    windowsHide: true,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
  });
  // A process that did not start, or ended early, is told by its exit code.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ files, needles }));
  try {
    const [code, signal] = await once(child, "close");
    if (code !== 0) return { problem: `the searching process ended with ${signal ?? code}` };
    return { found: JSON.parse(output) as number[] };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Looks at each byte once, however many needles there are: most do not begin any of them. */
const program = `
const { closeSync, openSync, readSync } = require("node:fs");
const { files, needles } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const texts = needles.map((needle) => Buffer.from(needle));
const begins = new Uint8Array(1 << 24);
const byStart = new Map();
for (const [index, text] of texts.entries()) {
  const start = (text[0] << 16) | (text[1] << 8) | text[2];
  begins[start] = 1;
  byStart.set(start, [...(byStart.get(start) ?? []), index]);
}
const longest = Math.max(3, ...texts.map((text) => text.length));
const found = new Set();
const block = Buffer.alloc((1 << 22) + longest);
for (const file of files) {
  let fd;
  try {
    fd = openSync(file, "r");
  } catch (error) {
    if (error.code === "ENOENT") continue;
    throw error;
  }
  let kept = 0;
  for (;;) {
    const count = readSync(fd, block, kept, block.length - kept, null);
    const length = kept + count;
    const last = count === 0 ? length - 3 : length - longest;
    let at = 0;
    for (; at <= last; at++) {
      const start = (block[at] << 16) | (block[at + 1] << 8) | block[at + 2];
      if (begins[start] === 0) continue;
      for (const index of byStart.get(start)) {
        const text = texts[index];
        if (at + text.length <= length && block.compare(text, 0, text.length, at, at + text.length) === 0) {
          found.add(index);
        }
      }
    }
    if (count === 0) break;
    block.copyWithin(0, at, length);
    kept = length - at;
  }
  closeSync(fd);
}
process.stdout.write(JSON.stringify([...found].sort((a, b) => a - b)));
`;
