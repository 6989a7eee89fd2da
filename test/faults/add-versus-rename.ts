import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "../support/child-process.ts";
import { type Acknowledged, entryText } from "./entries.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

/**
 * An editor that saves a note every few milliseconds: it reads the note, writes a copy and renames it over the note.
 * It keeps a hard link to the file that it replaces, so that it can tell what it overwrote without having read it.
 */
const editor = `
  import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
  const [file, kept, everyMs] = process.argv.slice(1);
  const entries = (text) => text.match(/here-\\S+/g) ?? [];
  const overwritten = [];
  let saves = 0;
  function save() {
    linkSync(file, kept);
    const text = readFileSync(kept, "utf8");
    writeFileSync(file + ".tmp", text);
    renameSync(file + ".tmp", file);
    const replaced = readFileSync(kept, "utf8");
    rmSync(kept);
    // From the start of the line: the text may end in the middle of an entry that was being appended.
    if (replaced !== text) overwritten.push(...entries(replaced.slice(text.lastIndexOf("\\n") + 1)));
    saves++;
  }
  process.stdout.write("ready\\n");
  const timer = setInterval(save, Number(everyMs));
  process.stdin.on("end", () => {
    clearInterval(timer);
    process.stdout.write(JSON.stringify({ saves, overwritten }));
  }).resume();`;

interface Report {
  readonly saves: number;
  /** Entries that the editor overwrote without having read them: its own lost updates. */
  readonly overwritten: readonly string[];
}

const addsPerNote = 200;
const saveEveryMs = [2, 5, 15];

export const addVersusRename: Fault = {
  name: "add-versus-rename",
  what: `entries are added to a note that an editor saves by rename every ${saveEveryMs.join(", ")} ms; a cycle is an add`,
  shortCycles: 150,
  longCycles: 10_000,
  run: runAddVersusRename,
};

async function runAddVersusRename(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder, { notes: 2 });
  const aside = join(options.folder, "aside");
  mkdirSync(aside);
  const acknowledged: Acknowledged[] = [];
  const counts = { saves: 0, unconfirmed: 0 };
  const overwritten = new Set<string>();
  const running: { child: ChildProcess; ended: ReturnType<typeof finish> }[] = [];

  async function stopEditor(): Promise<void> {
    const last = running.pop();
    if (last === undefined) return;
    last.child.stdin!.end();
    const { code, stdout, stderr } = await last.ended;
    if (code !== 0) throw new Error(`the editor failed: ${stderr}`);
    const report = JSON.parse(stdout.slice(stdout.indexOf("\n"))) as Report;
    counts.saves += report.saves;
    for (const name of report.overwritten) overwritten.add(name);
  }

  async function startEditor(path: string, everyMs: number): Promise<void> {
    writeFileSync(fixture.at(path), "# Log\n\n");
    const argv = [fixture.at(path), join(aside, "replaced"), String(everyMs)];
    const child = spawn(process.execPath, ["--input-type=module", "-e", editor, "--", ...argv]);
    const ended = finish(child);
    running.push({ child, ended });
    await Promise.race([once(child.stdout, "data"), ended]);
  }

  await using memory = await fixture.open();
  try {
    let path = "";
    for (const cycle of tally.cycles(options)) {
      if (cycle % addsPerNote === 0) {
        await stopEditor();
        const note = cycle / addsPerNote;
        path = `memory/log-${note}.md`;
        await startEditor(path, saveEveryMs[note % saveEveryMs.length]!);
      }
      const text = entryText(`${options.seed}-${cycle}`, cycle % 60);
      try {
        await memory.add(text, { to: path });
        acknowledged.push({ path, text });
      } catch (error) {
        if ((error as { code?: string }).code === "entry-unconfirmed") counts.unconfirmed++;
        else tally.errors.push(`cycle ${cycle}: ${describeError(error)}`);
      }
    }
    await stopEditor();
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
  }
  // If an editor read the note before the entry was in it, overwriting the entry is its own fault, and counted separately.
  const isOverwritten = ({ path, text }: Acknowledged): boolean =>
    !readFileSync(fixture.at(path), "utf8").includes(text) &&
    overwritten.has(text.slice(text.lastIndexOf("here-")));
  const lostByEditor = acknowledged.filter(isOverwritten);
  const kept = acknowledged.filter((entry) => !lostByEditor.includes(entry));
  fixture.checkEntries(tally, "at the end", kept);
  await fixture.compare(tally, "at the end");
  tally.notes.push(
    `${counts.saves.toLocaleString("en-US")} saves by the editor, which overwrote ${overwritten.size} entries that it had not read, ${lostByEditor.length} of them after they were acknowledged`,
    `${counts.unconfirmed} adds refused as unconfirmed`,
  );
  return tally.result();
}
