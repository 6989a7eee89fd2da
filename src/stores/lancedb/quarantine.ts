import { mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeFolderSync, renameFileSync } from "../../rename-file.ts";
import { classifyFailure } from "./failure.ts";
import type { Lance, LanceTable } from "./lance-package.ts";
import { wordsColumn } from "./words.ts";

/** A table that was quarantined; its replacement starts empty. */
export interface Repair {
  readonly reason: string;
  readonly movedTo: string;
}

/** How many quarantined copies are kept for inspection. */
const keptDamaged = 2;

/**
 * Moves the tables of a folder that cannot be read completely into `<folder>.corrupt-<n>`. The others stay: paid
 * vectors are not lost with the tokens.
 */
export async function quarantineUnsound(lance: Lance, folder: string): Promise<Repair[]> {
  const unsound = await findUnsound(lance, folder);
  if (unsound.length === 0) return [];
  const numbers = damagedNumbers(folder);
  const target = `${folder}.corrupt-${(numbers.at(-1) ?? 0) + 1}`;
  mkdirSync(target, { mode: 0o700 });
  const repairs = unsound.map(({ name, reason }) => {
    const movedTo = join(target, `${name}.lance`);
    renameFileSync(join(folder, `${name}.lance`), movedTo);
    return { reason, movedTo };
  });
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - keptDamaged))) {
    removeFolderSync(`${folder}.corrupt-${number}`);
  }
  return repairs;
}

/** Deletes all quarantined tables, because they contain old text; returns their names. */
export function removeQuarantined(folder: string): string[] {
  const paths = damagedNumbers(folder).map((number) => `${folder}.corrupt-${number}`);
  for (const path of paths) removeFolderSync(path);
  return paths;
}

async function findUnsound(lance: Lance, folder: string): Promise<{ name: string; reason: string }[]> {
  const unsound: { name: string; reason: string }[] = [];
  // The current state, not the one this process has cached.
  const connection = await lance.connect(folder, { readConsistencyInterval: 0 });
  try {
    for (const entry of readdirSync(folder)) {
      if (!entry.endsWith(".lance")) continue;
      const name = entry.slice(0, -".lance".length);
      try {
        await readToEnd(lance, await connection.openTable(name));
      } catch (error) {
        const kind = classifyFailure(error);
        if (kind === "unusable" || kind === "busy") throw error;
        unsound.push({
          name,
          reason: error instanceof Error ? error.message.split("\n", 1)[0]! : String(error),
        });
      }
    }
  } finally {
    connection.close();
  }
  return unsound;
}

async function readToEnd({ MatchQuery }: Lance, table: LanceTable): Promise<void> {
  for await (const batch of table.query()) void batch.numRows;
  const indexed = (await table.listIndices()).flatMap(({ columns }) => columns);
  if (indexed.includes(wordsColumn)) {
    await table.query().fullTextSearch(new MatchQuery("a", wordsColumn)).limit(1).toArray();
  }
  table.close();
}

function damagedNumbers(folder: string): number[] {
  const prefix = `${basename(folder)}.corrupt-`;
  return readdirSync(dirname(folder))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}
