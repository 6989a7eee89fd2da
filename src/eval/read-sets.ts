import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { isFolder } from "../paths.ts";
import { isFields } from "../text/fields.ts";
import { invalidSet, type Place, type Question, type QuestionSet } from "./question.ts";

interface ReadSetsOptions {
  /** Which sets of a folder of sets, in this order; all of them by name otherwise. */
  readonly names?: readonly string[] | undefined;
  /** At most this many questions of each set. */
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
      `Questions with an answer belong in ${questionsFile}.`,
    );
  }
  for (const question of [...questions, ...noAnswer]) checkPlaces(question, { file, workspaceDir });
  // A question without gold lines has no answer, in either file.
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

const questionsFile = "queries.jsonl";
const noAnswerFile = "no-answer.jsonl";

/** Reads JSON lines; errors name `file` and the line. Blank lines are ignored. */
export function parseQuestions(text: string, file: string): Question[] {
  const questions: Question[] = [];
  const lineOf = new Map<string, number>();
  text.split("\n").forEach((line, index) => {
    const content = index === 0 ? line.replace(/^\ufeff/, "") : line;
    if (content.trim() === "") return;
    const question = parseQuestion(content, `${file}:${index + 1}`);
    const earlier = lineOf.get(question.id);
    if (earlier !== undefined) {
      throw invalidSet(
        `${file}:${index + 1} has the id ${JSON.stringify(question.id)}, which line ${earlier} has already.`,
        "Give every question an id of its own.",
      );
    }
    lineOf.set(question.id, index + 1);
    questions.push(question);
  });
  return questions;
}

function parseQuestion(line: string, where: string): Question {
  const fault = (what: string): Error =>
    invalidSet(
      `${where} is not a question: ${what}.`,
      'Each line is like {"id":"q1","query":"…","lang":"en","category":"fact",' +
        '"gold":[{"path":"a.md","startLine":1,"endLine":2}]}.',
    );
  const value = parseJson(line, fault);
  if (!isFields(value)) throw fault("it is no JSON object");
  const { id, query, lang, category, scope: rawScope, gold = [] } = value;
  if ((typeof id !== "string" && typeof id !== "number") || id === "") throw fault("it has no id");
  if (typeof query !== "string" || query.trim() === "") throw fault("it has no query");
  if (!Array.isArray(gold)) throw fault("gold is no list");
  // People write folders with a slash at the end, too.
  const scope = typeof rawScope === "string" ? rawScope.replace(/\/$/, "") : (rawScope ?? undefined);
  if (scope !== undefined && (typeof scope !== "string" || !isInside(scope))) {
    throw fault("scope does not name a folder below workspace/");
  }
  return {
    id: String(id),
    query,
    lang: typeof lang === "string" ? lang : "unknown",
    category: typeof category === "string" ? category : "unknown",
    ...(scope === undefined ? {} : { scope }),
    gold: gold.map((place, index) => parsePlace(place, (what) => fault(`gold[${index}] ${what}`))),
  };
}

function parsePlace(value: unknown, fault: (what: string) => Error): Place {
  if (!isFields(value)) throw fault("is no JSON object");
  const { path, startLine, endLine } = value;
  if (typeof path !== "string" || !isInside(path)) throw fault("has no path below workspace/");
  if (!isLine(startLine) || !isLine(endLine) || endLine < startLine) {
    throw fault("needs startLine and endLine, counted from 1, the first not after the second");
  }
  return { path, startLine, endLine };
}

function parseJson(line: string, fault: (what: string) => Error): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw fault(`the JSON is broken (${(error as Error).message})`);
  }
}

/** A normalised relative path that does not climb out. */
function isInside(path: string): boolean {
  return path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
