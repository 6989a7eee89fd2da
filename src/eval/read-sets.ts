import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { invalidSet } from "./eval-error.ts";
import { parseQuestions } from "./parse-questions.ts";
import type { Question, QuestionSet } from "./question.ts";

export interface ReadSetsOptions {
  /** Which sets of a folder of sets, in this order; all of them by name otherwise. */
  readonly names?: readonly string[] | undefined;
  /** The first so many questions of each set. */
  readonly limit?: number | undefined;
}

/** Reads the set in a folder, or the sets in the folders directly below it. */
export function readSets(folder: string, { names, limit }: ReadSetsOptions = {}): QuestionSet[] {
  const dir = resolve(folder);
  if (!isFolder(dir)) {
    const what = existsSync(dir) ? "it is not a folder" : "it does not exist";
    throw invalidSet(
      `There are no questions in ${dir}: ${what}.`,
      "Name a folder with queries.jsonl and workspace/, or a folder of such folders.",
    );
  }
  const dirs = new Map(findSetFolders(dir).map((found) => [basename(found), found]));
  if (dirs.size === 0) {
    throw invalidSet(
      `There is no ${questionsFile} in ${dir} or in a folder directly below it.`,
      `A set is a folder with ${questionsFile} and workspace/; docs/eval.md shows the format.`,
    );
  }
  const chosen = names ?? [...dirs.keys()];
  return chosen.map((name) => {
    const setDir = dirs.get(name);
    if (setDir !== undefined) return readSet(setDir, limit);
    throw invalidSet(
      `There is no set ${JSON.stringify(name)} in ${dir}.`,
      `The sets there are: ${[...dirs.keys()].join(", ")}.`,
    );
  });
}

function findSetFolders(dir: string): string[] {
  if (existsSync(join(dir, questionsFile))) return [dir];
  return readdirSync(dir)
    .sort()
    .map((name) => join(dir, name))
    .filter((inner) => existsSync(join(inner, questionsFile)));
}

function readSet(dir: string, limit = Number.POSITIVE_INFINITY): QuestionSet {
  const workspaceDir = join(dir, "workspace");
  if (!isFolder(workspaceDir)) {
    throw invalidSet(`${dir} has no folder workspace/.`, "Put the notes that are searched into workspace/.");
  }
  const file = join(dir, questionsFile);
  const all = parseQuestions(readText(file), file);
  const questions = all.filter(({ gold }) => gold.length > 0).slice(0, limit);
  if (questions.length === 0) {
    throw invalidSet(
      `${file} has no question with gold lines.`,
      "Add at least one question that has an answer.",
    );
  }
  const noAnswerPath = join(dir, noAnswerFile);
  const noAnswer = existsSync(noAnswerPath) ? parseQuestions(readText(noAnswerPath), noAnswerPath) : [];
  const wrong = noAnswer.find(({ gold }) => gold.length > 0);
  if (wrong !== undefined) {
    throw invalidSet(
      `${noAnswerPath} has gold lines for ${JSON.stringify(wrong.id)}.`,
      `Questions with an answer belong into ${questionsFile}.`,
    );
  }
  for (const question of [...questions, ...noAnswer]) checkPlaces(question, { file, workspaceDir });
  // A question without gold lines has no answer, wherever it stands.
  const unanswerable = [...all.filter(({ gold }) => gold.length === 0), ...noAnswer].slice(0, limit);
  return { name: basename(dir), workspaceDir, questions, unanswerable };
}

function checkPlaces(
  { id, scope, gold }: Question,
  { file, workspaceDir }: { file: string; workspaceDir: string },
): void {
  if (scope !== undefined && !isFolder(join(workspaceDir, scope))) {
    throw invalidSet(
      `The scope ${JSON.stringify(scope)} of ${JSON.stringify(id)} in ${file} is no folder in ${workspaceDir}.`,
      "Correct the scope, or put the folder there.",
    );
  }
  const unknown = gold.find(({ path }) => !existsSync(join(workspaceDir, path)));
  if (unknown === undefined) return;
  throw invalidSet(
    `The gold path ${JSON.stringify(unknown.path)} of ${JSON.stringify(id)} in ${file} is not in ${workspaceDir}.`,
    "Gold paths start at workspace/, scope included; correct the path, or put the note there.",
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw invalidSet(
      `${file} cannot be read: the system says ${code}.`,
      "Make it a file you may read.",
      error,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const questionsFile = "queries.jsonl";
const noAnswerFile = "no-answer.jsonl";
