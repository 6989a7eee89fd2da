import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { finish } from "../support/child-process.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { followFootprint } from "./footprint.ts";
import { startCli } from "./processes.ts";

const maxMegabytes = 1024;

export const oddContent: Fault = {
  name: "odd-content",
  what: "a file of 100 MB, lines of 50 and 16 MB, binary named .md, invalid UTF-8, CRLF, BOM, lone surrogates, nothing, a FIFO",
  shortCycles: 1,
  longCycles: 3,
  run: runOddContent,
};

/** What a query must find, and where. */
const questions: Readonly<Record<string, string>> = {
  "quokka in the middle": "memory/invalid.md",
  "wallaby on Windows": "memory/crlf.md",
  "echidna with a mark": "memory/bom.md",
  "platypus after the surrogate": "memory/surrogate.md",
};

async function runOddContent(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder);
  const sparse = openSync(fixture.at("memory/hundred-megabytes.md"), "w");
  writeSync(sparse, "# Large\n");
  ftruncateSync(sparse, 100 * 2 ** 20);
  closeSync(sparse);
  writeFileSync(fixture.at("memory/long-line.md"), "word ".repeat(10 * 2 ** 20));
  const isLong = options.cycles > 1;
  writeFileSync(
    fixture.at("memory/line-within-the-limit.md"),
    "wörter ".repeat(isLong ? 2 * 2 ** 20 : 2 ** 17),
  );
  fixture.write("memory/binary.md", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 37) % 256)));
  fixture.write(
    "memory/invalid.md",
    Buffer.concat([
      Buffer.from("A quokka sits in the \xff\xfe "),
      Buffer.from([0xc3, 0x28, 0xf0, 0x9f]),
      Buffer.from(" middle of it.\n"),
    ]),
  );
  fixture.write("memory/crlf.md", "# Lines\r\n\r\nA wallaby lives on Windows.\r\n\r\n- one\r\n- two\r\n");
  fixture.write("memory/bom.md", "\ufeff# Marked\n\nAn echidna comes with a mark.\n");
  fixture.write(
    "memory/surrogate.md",
    Buffer.from([0xed, 0xa0, 0x80, ...Buffer.from(" A platypus comes after the surrogate.\n")]),
  );
  fixture.write("memory/empty.md", "");
  fixture.write("memory/blank.md", "\n\n \t\n");
  if (process.platform !== "win32") execFileSync("mkfifo", [fixture.at("memory/pipe.md")]);
  let megabytes = 0;
  for (const cycle of tally.cycles(options)) {
    const beganMs = performance.now();
    const child = startCli(fixture, ["index", "--force", "--json"]);
    using footprint = followFootprint(child.pid!);
    const { code, stdout, stderr } = await finish(child);
    megabytes = Math.max(megabytes, footprint.peakMegabytes);
    if (
      code !== 0 ||
      JSON.parse(stdout).failed.some(({ path }: { path: string }) => path !== "memory/binary.md")
    ) {
      tally.errors.push(`cycle ${cycle}: ${code} ${stdout.slice(0, 500)} ${stderr.slice(0, 300)}`);
    }
    tally.notes.push(`${Math.round(performance.now() - beganMs)} ms`);
    for (const [question, path] of Object.entries(questions)) {
      const { results } = await fixture.use((memory) => memory.search(question));
      if (results[0]?.path !== path)
        tally.divergences.push(`cycle ${cycle}: ${question}: ${results[0]?.path}`);
    }
    const { onDisk } = await fixture.use((memory) => memory.status());
    const skipped = onDisk.skipped.map((each) => JSON.stringify(each)).join();
    for (const name of ["hundred-megabytes", "long-line"]) {
      if (!skipped.includes(name)) tally.errors.push(`cycle ${cycle}: status does not name ${name}`);
    }
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  if (megabytes > maxMegabytes) tally.errors.push(`${Math.round(megabytes)} MB of memory`);
  tally.notes.push(`${Math.round(megabytes)} MB of memory at most`);
  return tally.result();
}
