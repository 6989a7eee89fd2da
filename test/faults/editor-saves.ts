import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createRandom } from "../../src/eval/compare.ts";
import { until } from "../support/hang-limit.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

/** How editors save, observed with strace. */
const saves: Readonly<Record<string, (file: string, text: string) => void>> = {
  vim(file, text) {
    const swap = join(dirname(file), `.${basename(file)}.swp`);
    writeFileSync(swap, "swap");
    writeFileSync(join(dirname(file), "4913"), "");
    unlinkSync(join(dirname(file), "4913"));
    renameSync(file, `${file}~`);
    writeFileSync(file, text);
    unlinkSync(`${file}~`);
    unlinkSync(swap);
  },
  "VS Code"(file, text) {
    const fd = openSync(file, "r+");
    ftruncateSync(fd, 0);
    writeSync(fd, text);
    fsyncSync(fd);
    closeSync(fd);
  },
  "sed -i"(file, text) {
    execFileSync("sed", ["-i", `s/.*/${text.trim()}/`, file]);
    if (readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  },
  "git checkout"(file, text) {
    unlinkSync(file);
    writeFileSync(file, text, { flag: "wx" });
  },
  "write and rename"(file, text) {
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  },
  emacs(file, text) {
    const lock = join(dirname(file), `.#${basename(file)}`);
    symlinkSync("user@host.1:1", lock);
    writeFileSync(join(dirname(file), `#${basename(file)}#`), text);
    writeFileSync(file, text);
    rmSync(join(dirname(file), `#${basename(file)}#`));
    unlinkSync(lock);
  },
  "in pieces"(file, text) {
    writeFileSync(file, text.slice(0, 5));
    for (let at = 5; at < text.length; at += 5) appendFileSync(file, text.slice(at, at + 5));
  },
};

export const editorSaves: Fault = {
  name: "editor-saves",
  what: `notes saved as editors do it (${Object.keys(saves).join(", ")}): a watcher has the new text in the index`,
  shortCycles: 7,
  longCycles: 200,
  run: runEditorSaves,
};

async function runEditorSaves(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  // Searches do not check for changes, so what they find was indexed by the watcher.
  const config = {
    agents: { defaults: { memorySearch: { sync: { onSearch: false, watchDebounceMs: 100 } } } },
  };
  const fixture = makeFaultFixture(options.folder, { notes: 3, options: { config } });
  await using memory = await fixture.open();
  const file = fixture.at("memory/edited.md");
  writeFileSync(file, "The first text.\n");
  await using _ = await memory.watch();
  let slowestMs = 0;
  for (const cycle of tally.cycles(options)) {
    const names = Object.keys(saves);
    const name = names[cycle < names.length ? cycle : Math.floor(random() * names.length)]!;
    const word = `edition${options.seed}x${cycle}`;
    saves[name]!(file, `The note is ${word} of its kind.\n`);
    const savedMs = performance.now();
    const isFound = async (): Promise<boolean> =>
      (await memory.search(word)).results.some(({ snippet }) => snippet.includes(word));
    await until(isFound, `${word} is found, saved as ${name} does it`);
    slowestMs = Math.max(slowestMs, performance.now() - savedMs);
  }
  await fixture.compare(tally, "at the end");
  tally.notes.push(`found after ${Math.round(slowestMs)} ms at most`);
  return tally.result();
}
