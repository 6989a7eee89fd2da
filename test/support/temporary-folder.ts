import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

export interface TemporaryFolder {
  /** Real path. */
  readonly dir: string;
  /** The absolute path of a file in it. */
  at(name: string): string;
  /** Writes a file and creates its folders; returns its absolute path. */
  write(name: string, content?: string | Uint8Array): string;
  makeFolder(name: string): string;
}

/** A folder that is removed when the test ends, filled with some files. */
export function makeTemporaryFolder(
  t: Pick<TestContext, "after">,
  files: Record<string, string> = {},
): TemporaryFolder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "longhand-test-")));
  if (process.platform === "win32") removeAtExit(dir);
  else if (!isFuse) t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }));
  const at = (name: string) => join(dir, name);
  const folder: TemporaryFolder = {
    dir,
    at,
    write(name, content = "") {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    makeFolder(name) {
      mkdirSync(at(name), { recursive: true });
      return at(name);
    },
  };
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return folder;
}

/** FUSE renames an open file instead of removing it, again at each attempt. The mount ends with the run. */
const isFuse = Boolean(process.env["LONGHAND_TEST_ON_FUSE"]);

/** Windows cannot delete open files, and a test may close its files only after this. */
function removeAtExit(dir: string): void {
  process.once("exit", () => {
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // The system cleans up temporary files, too.
    }
  });
}
