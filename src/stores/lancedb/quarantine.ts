import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { removeFolderSync, renameFileSync } from "../../files.ts";
import { listQuarantined, planQuarantine, type Repair } from "../quarantined.ts";
import { classifyFailure } from "./failure.ts";
import type { Lance, LanceTable } from "./lance-package.ts";
import { wordsColumn } from "./words.ts";

/**
 * Moves the tables of a folder that cannot be read completely into `<folder>.corrupt-<n>`. The others stay: paid
 * vectors are not lost with the tokens.
 */
export async function quarantineUnsound(lance: Lance, folder: string): Promise<Repair[]> {
  const unsound = await findUnsound(lance, folder);
  if (unsound.length === 0) return [];
  const { target, outdated } = planQuarantine(folder);
  mkdirSync(target, { mode: 0o700 });
  const repairs = unsound.map(({ name, reason }) => {
    const movedTo = join(target, `${name}.lance`);
    renameFileSync(join(folder, `${name}.lance`), movedTo);
    return { reason, movedTo };
  });
  for (const path of outdated) removeFolderSync(path);
  return repairs;
}

/** Deletes all quarantined tables, because they contain old text; returns their names. */
export function removeQuarantined(folder: string): string[] {
  const paths = listQuarantined(folder);
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
        unsound.push({ name, reason: messageOf(error).split("\n", 1)[0]! });
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
