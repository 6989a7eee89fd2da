import { invalidSet } from "./eval-error.ts";
import type { Place, Question } from "./question.ts";

/** Reads JSON lines; `file` is named, with the line, in what is said about a broken one. Blank lines do not count. */
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
  if (!isObject(value)) throw fault("it is no JSON object");
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
  if (!isObject(value)) throw fault("is no JSON object");
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

/** A relative path that does not climb out, in the one way of writing it. */
function isInside(path: string): boolean {
  return path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
