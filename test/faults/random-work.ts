import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "../../src/index.ts";
import { entryText } from "./entries.ts";
import type { Setting } from "./setting.ts";
import { uniqueWord } from "./unique-word.ts";

/** A process's report of one operation. */
export interface RandomOperation {
  readonly operation: Operation;
  /** An entry that was acknowledged. */
  readonly path?: string;
  readonly text?: string;
  readonly stale?: boolean;
  /** A wrong answer that does not say that it may be stale. */
  readonly wrong?: string;
}

type Operation = "add" | "edit" | "rename" | "delete" | "search";
const operations: readonly Operation[] = [
  "add",
  "add",
  "edit",
  "rename",
  "delete",
  "search",
  "search",
  "search",
];
const ownNotes = 3;

/**
 * Adds to notes that all processes add to, edits and deletes this process's own notes like a program that knows nothing
 * of longhand, and searches for existing and for removed text.
 */
export async function workAtRandom(
  memory: Memory,
  { job, random, name, goesOn, say }: Setting,
): Promise<void> {
  await using _ = job.watches ? await memory.watch() : null;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const own = new Map<string, string[]>(
    Array.from({ length: ownNotes }, (_, number) => [`memory/${name}-own-${number}.md`, []]),
  );
  const added: { readonly word: string; readonly path: string }[] = [];
  const gone: string[] = [];
  let words = 0;

  const save = (path: string, how: "edit" | "rename"): void => {
    const file = join(job.workspace, path);
    const text = own
      .get(path)!
      .map((word) => `The line of ${word} stands here.\n\n`)
      .join("");
    const written = how === "edit" ? file : `${file}.tmp`;
    writeFileSync(written, text);
    if (written !== file) renameSync(written, file);
  };

  const change = (path: string, how: "edit" | "rename"): void => {
    const lines = own.get(path)!;
    if (lines.length > 3 && random() < 0.6)
      gone.push(...lines.splice(Math.floor(random() * lines.length), 1));
    lines.splice(Math.floor(random() * (lines.length + 1)), 0, uniqueWord(name, words++));
    save(path, how);
  };

  /** Null if the answer is correct. */
  const ask = async (
    word: string,
    path: string | null,
  ): Promise<{ stale: boolean; wrong: string | null }> => {
    const { results, stale } = await memory.search(word);
    const hits = results.filter(({ snippet }) => snippet.includes(word));
    if (path === null) return { stale, wrong: hits.length === 0 ? null : `${word} is gone and was found` };
    const hit = hits.find((each) => each.path === path);
    if (hit === undefined) return { stale, wrong: `${word} is in ${path} and was not found` };
    const lines = readFileSync(join(job.workspace, path), "utf8").split("\n");
    const shown = lines.slice(hit.startLine - 1, hit.endLine).join("\n");
    const wrong = shown.includes(word) ? null : `${word} is not in ${path}:${hit.startLine}-${hit.endLine}`;
    return { stale, wrong };
  };

  for (let round = 0; goesOn(round); round++) {
    const operation = pick(operations);
    const path = pick([...own.keys()]);
    if (operation === "add") {
      const word = uniqueWord(name, words++);
      const text = entryText(word, Math.floor(random() * 60));
      const written = await memory.add(text, { to: `memory/shared-${Math.floor(round / 200)}.md` });
      added.push({ word, path: written.path });
      say({ operation, path: written.path, text } satisfies RandomOperation);
    } else if (operation === "edit" || operation === "rename") {
      change(path, operation);
      say({ operation } satisfies RandomOperation);
    } else if (operation === "delete") {
      gone.push(...own.get(path)!.splice(0));
      if (existsSync(join(job.workspace, path))) rmSync(join(job.workspace, path));
      say({ operation } satisfies RandomOperation);
    } else {
      const lines = own.get(path)!;
      const question = random();
      const entry = random() < 0.5 ? added.at(-1) : pick(added);
      const wanted =
        question < 0.4 && lines.length > 0
          ? { word: pick(lines), path }
          : question < 0.6 && gone.length > 0
            ? { word: pick(gone), path: null }
            : entry;
      if (wanted === undefined) continue;
      const asked = await ask(wanted.word, wanted.path);
      const isUnmarked = asked.wrong !== null && !asked.stale;
      say({
        operation,
        stale: asked.stale,
        ...(isUnmarked ? { wrong: asked.wrong! } : {}),
      } satisfies RandomOperation);
    }
  }
}
