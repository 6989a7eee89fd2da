import { closeSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { LonghandError } from "../../src/errors.ts";
import { locateNote } from "../../src/notes/locate.ts";
import { findPathProblem } from "../../src/notes/note-path.ts";
import { openNote } from "../../src/notes/open-note.ts";
import { type Chooser, createChooser } from "./choose.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

const parts = [
  ..."|.|..|...|....|~|-|*|memory|memory|memory|MEMORY.md|memory.md|Memory|MEMORY|extra|extra/0|extra/00|extra/1".split(
    "|",
  ),
  ..."a.md|b.md|a.MD|a.md.|a.md |a .md|sub|sub|link|loop|out|outside|secret.md|etc|passwd|.git|.hidden.md".split(
    "|",
  ),
  ..."node_modules|con|CON.md|nul.md|aux|com1.md|lpt¹.md|a.md:stream|C:|\\\\?\\C:|\\\\server\\share|%2e%2e".split(
    "|",
  ),
  ..."%2f|..%2f|..;|a.md\0.png|\0|\n|\r|\u202e|\u200b|\ufeff|\u2025|\uff0e\uff0e|\u2044|\uff0f|\ud800|é.md|e\u0301.md".split(
    "|",
  ),
  ..."file:|file:///etc/passwd|/proc/self/root|proc|self|fd|0|..\\..|\\|a".split("|"),
];
const goodPaths = ["MEMORY.md", "memory/a.md", "memory/sub/b.md", "memory/sub/sub/a.md", "extra/0/a.md"];
const separators = ["/", "/", "/", "/", "//", "\\", "/./", "/../", "\u2215", ""];

/**
 * Tries all kinds of paths in a workspace with traps: every opened file must be below its roots, at exactly the
 * requested path.
 */
export const fuzzPaths: FuzzSuite = async ({ seed, count, dir }) => {
  const { workspace, extra, inside } = makeTrap(dir);
  const chooser = createChooser(seed);
  const tally = createTally();
  let [passed, opened] = [0, 0];
  for (let turn = 0; turn < count; turn++) {
    const asked = makePath(chooser, dir);
    try {
      if (findPathProblem(asked) === null) passed++;
      const location = locateNote({ workspaceDir: workspace, extraPaths: [extra] }, asked);
      const note = openNote(location);
      if (note === null) continue;
      opened++;
      const text = readFileSync(note.fd, "utf8");
      closeSync(note.fd);
      if (!inside.has(text)) tally.fail(`${JSON.stringify(asked)} gave ${JSON.stringify(text)}`);
    } catch (error) {
      if (!(error instanceof LonghandError) || error.code === "internal") {
        tally.fail(`${JSON.stringify(asked)} failed with ${error}`);
      }
    }
  }
  return tally.report(count, `${passed} passed the grammar, ${opened} were opened`);
};

function makePath({ below, one, chance, character }: Chooser, dir: string): string {
  if (chance(0.05)) return one(goodPaths);
  const pieces: string[] = chance(0.3) ? ["memory"] : [];
  if (chance(0.05)) pieces.push(dir);
  for (let left = 1 + below(5); left > 0; left--) {
    pieces.push(chance(0.1) ? character() + character() : one(parts));
  }
  let joined = pieces[0] ?? "";
  for (const piece of pieces.slice(1)) joined += one(separators) + piece;
  if (chance(0.4)) joined += ".md";
  return chance(0.002) ? joined.padEnd(1000 + below(60), "x") : joined;
}

/** Files inside say so; files that are outside, or must not be read, have other content. */
function makeTrap(dir: string) {
  const at = (name: string): string => path.join(dir, name);
  const inside = new Set<string>();
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const name of [
    "work/MEMORY.md",
    "work/memory/a.md",
    "work/memory/sub/b.md",
    "work/memory/sub/sub/a.md",
    "more/a.md",
  ]) {
    write(name, `inside ${name}`);
    inside.add(`inside ${name}`);
  }
  for (const name of [
    "secret.md",
    "outside/a.md",
    "outside/b.md",
    "workspace/a.md",
    "work/README.md",
    "work/a.md",
  ]) {
    write(name, "outside");
  }
  write("work/memory/.hidden.md", "hidden");
  write("work/memory/.git/a.md", "hidden");
  write("work/memory/node_modules/a.md", "hidden");
  symlinkSync(at("outside"), at("work/memory/link"));
  symlinkSync(at("outside/a.md"), at("work/memory/sub/secret.md"));
  symlinkSync("loop", at("work/memory/loop"));
  symlinkSync(at("outside"), at("more/out"));
  // A hard link cannot be distinguished from the file; it is the one way to let something in deliberately.
  linkSync(at("work/memory/a.md"), at("work/memory/sub/a.md"));
  return { workspace: at("work"), extra: at("more"), inside };
}
