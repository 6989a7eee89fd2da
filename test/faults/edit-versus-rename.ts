import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { sha256 } from "../../src/text/hash.ts";
import { finish } from "../support/child-process.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

/**
 * An editor that adds a line and saves by rename, as careful editors do: it checks that the note is still the one that it
 * read. It reports its saves.
 */
const editor = `
  import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
  const [file, everyMs] = process.argv.slice(1);
  const saves = [];
  let number = 0;
  const look = () => { const { ino, mtimeNs } = statSync(file, { bigint: true }); return ino + ":" + mtimeNs; };
  function save() {
    const before = look();
    const line = "save-" + ++number;
    writeFileSync(file + ".tmp", readFileSync(file, "utf8") + line + "\\n");
    if (look() !== before) return;
    renameSync(file + ".tmp", file);
    saves.push(line);
  }
  process.stdout.write("ready\\n");
  const timer = setInterval(save, Number(everyMs));
  process.stdin.on("end", () => {
    clearInterval(timer);
    process.stdout.write(JSON.stringify(saves));
  }).resume();`;

const editsPerNote = 100;
const saveEveryMs = [3, 15, 80, 300];

export const editVersusRename: Fault = {
  name: "edit-versus-rename",
  what: `a note is edited while an editor saves it by rename every ${saveEveryMs.join(", ")} ms: no save and no acknowledged edit is lost; a cycle is an edit`,
  shortCycles: 60,
  longCycles: 2000,
  run: runEditVersusRename,
};

async function runEditVersusRename(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder, { notes: 1 });
  const counts = { edits: 0, refused: 0, saves: 0 };
  const perNote = Math.min(editsPerNote, Math.ceil(options.cycles / saveEveryMs.length));
  await using memory = await fixture.open();
  const cycles = tally.cycles(options);
  for (let note = 0, isOver = false; !isOver; note++) {
    const path = `memory/edited-${note}.md`;
    writeFileSync(fixture.at(path), "# Edited\n");
    const argv = [fixture.at(path), String(saveEveryMs[note % saveEveryMs.length])];
    const child = spawn(process.execPath, ["--input-type=module", "-e", editor, "--", ...argv]);
    const ended = finish(child);
    try {
      await Promise.race([once(child.stdout, "data"), ended]);
      const edits: string[] = [];
      for (let number = 0; number < perNote; number++) {
        const { done, value: cycle } = cycles.next();
        isOver = done === true;
        if (isOver) break;
        const line = `edit-${cycle}`;
        try {
          const text = readFileSync(fixture.at(path), "utf8");
          await memory.editNote({ path, expectedHash: sha256(text), text: `${text}${line}\n` });
          edits.push(line);
        } catch (error) {
          if ((error as { code?: string }).code === "note-changed") counts.refused++;
          else tally.errors.push(`cycle ${cycle}: ${describeError(error)}`);
        }
      }
      child.stdin.end();
      const { stdout } = await ended;
      const saves = JSON.parse(stdout.slice(stdout.indexOf("\n"))) as string[];
      const lines = readFileSync(fixture.at(path), "utf8").split("\n");
      for (const line of [...edits, ...saves]) {
        const count = lines.filter((each) => each === line).length;
        if (count !== 1) tally.losses.push(`${path}: ${line} is there ${count} times`);
      }
      counts.edits += edits.length;
      counts.saves += saves.length;
    } finally {
      child.kill("SIGKILL");
    }
  }
  await fixture.compare(tally, "at the end");
  tally.notes.push(
    `${counts.edits} edits made, ${counts.refused} refused because the note had changed; ${counts.saves} saves by the editor`,
  );
  return tally.result();
}
