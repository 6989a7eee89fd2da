import { type Fields, isFields } from "../../text/fields.ts";
import { parseJson } from "../../text/parse-json.ts";
import {
  type CallOptions,
  type QmdDocument,
  type QmdDriver,
  type QmdLocation,
  qmdFailure,
  rerankedDocuments,
  shorten,
} from "./driver.ts";
import type { FoundQmd } from "./find-qmd.ts";
import { type ProgramCall, type ProgramEnd, runProgram, runToEnd } from "./run-program.ts";

interface CommandOptions {
  readonly qmd: Pick<FoundQmd, "program" | "arguments">;
  readonly location: QmdLocation;
  readonly environment: Readonly<Record<string, string>>;
}

/** Drives qmd by its command line: a process per call. */
export function createCommandDriver(options: CommandOptions): QmdDriver {
  return {
    way: "command line",
    async ask({ words, semantic, expand, rerank, collections, limit }, call) {
      const lines = [
        ...words.map((word) => `lex: ${word}`),
        ...(semantic === null ? [] : [`vec: ${semantic}`]),
      ];
      const isReranked = rerank !== null;
      const candidates = isReranked ? Math.min(limit, rerankedDocuments) : limit;
      const form = ["--json", "--explain", "-n", `${limit}`, "-C", `${candidates}`];
      const within = (collections ?? []).flatMap((name) => ["-c", name]);
      const query = async (text: string) => {
        const how = isReranked ? form : [...form, "--no-rerank"];
        const end = await runToEnd(describeCall(options, ["query", text, ...how, ...within], call));
        return readAnswer(end, { isReranked });
      };
      const typed = isReranked ? [...lines, `intent: ${rerank}`] : lines;
      const answers = lines.length === 0 ? [] : [await query(typed.join("\n"))];
      // The command line expands a query only if it is the only one.
      if (expand !== null)
        answers.push(await query(expand.replace(/^(?:lex|vec|hyde|intent|expand):\s*/i, "")));
      return mergeAnswers(answers);
    },
    async update(call) {
      await runQmd(options, ["update"], call);
    },
    async [Symbol.asyncDispose]() {},
  };
}

export async function runQmd(
  options: CommandOptions,
  words: readonly string[],
  call: CallOptions,
): Promise<string> {
  return await runProgram(describeCall(options, words, call));
}

/** The index name keeps qmd from searching parent folders for a configuration. */
function describeCall(
  { qmd, location, environment }: CommandOptions,
  words: readonly string[],
  call: CallOptions,
): ProgramCall {
  return {
    program: qmd.program,
    arguments: [...qmd.arguments, "--index", "index", ...words],
    folder: location.folder,
    environment,
    shown: `qmd ${words[0]}`,
    ...call,
  };
}

/** Merges answers: a document in several of them keeps all matches and its best scores. */
function mergeAnswers(answers: readonly (readonly QmdDocument[])[]): QmdDocument[] {
  const merged = new Map<string, QmdDocument>();
  for (const document of answers.flat()) {
    const key = `${document.collection}/${document.file}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? document : join(known, document));
  }
  return [...merged.values()];
}

function join(left: QmdDocument, right: QmdDocument): QmdDocument {
  const byVector = best(left.byVector, right.byVector, ({ similarity }) => similarity);
  const rerank = best(left.rerank, right.rerank, ({ score }) => score);
  return {
    ...left,
    byKeyword: [...left.byKeyword, ...right.byKeyword],
    ...(byVector && { byVector }),
    ...(rerank && { rerank }),
  };
}

function best<T>(left: T | undefined, right: T | undefined, scoreOf: (value: T) => number): T | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return scoreOf(right) > scoreOf(left) ? right : left;
}

/**
 * The answer of a finished `qmd query`. A query without results may report that on stderr only, with exit code 0 or 1;
 * a model library that crashes on exit does not invalidate results that were printed completely.
 */
export function readAnswer(
  { output, errors, exitCode, failure }: ProgramEnd,
  options: { readonly isReranked?: boolean } = {},
): QmdDocument[] {
  const saysNothing = output.trim() === "" && noResults.test(errors);
  if (saysNothing && (exitCode === 0 || exitCode === 1)) return [];
  if (failure === null) return parseAnswer(output, options);
  // Shells report a signal as 128 plus its number.
  const hasCrashed = exitCode === null || exitCode > 128;
  if (!hasCrashed) throw failure;
  try {
    return parseAnswer(output, options);
  } catch {
    throw failure;
  }
}

const noResults = /^(?:\[\w+\]\s*)?(?:warning:\s*)?no results/im;

/**
 * Parses the output of `qmd query --json --explain`. Nothing is taken on trust: an answer of another form is rejected.
 */
export function parseAnswer(output: string, { isReranked = false } = {}): QmdDocument[] {
  const value = parseJson(output);
  if (value === undefined) {
    const list = /^\[\s*\{.*\}\s*\]$/ms.exec(output)?.[0];
    if (list !== undefined && list !== output) return parseAnswer(list, { isReranked });
    // Printed if there are no results, whatever format was requested.
    if (noResults.test(output)) return [];
    throw refuse(`it is not JSON: ${JSON.stringify(shorten(output, 60))}`);
  }
  if (!Array.isArray(value)) throw refuse("it is not a list");
  const results = value.filter(isFields);
  if (results.length === 0 && value.length > 0) throw refuse("it has no results");
  return results.map((result) => parseResult(result, isReranked));
}

function parseResult(result: Fields, isReranked: boolean): QmdDocument {
  const file = /^qmd:\/\/([^/]+)\/(.+)$/.exec(asText(result.file, "file"));
  if (file === null) throw refuse("the file of a result is not a qmd address");
  const explain = asObject(result.explain, "explain");
  const rrf = asObject(explain.rrf, "rrf");
  if (!Array.isArray(rrf.contributions)) throw refuse("a result does not say what found it");
  const found = rrf.contributions.map((each) => asObject(each, "a contribution"));
  const byKeyword = found
    .filter(({ source }) => source === "fts")
    .map(({ query, rank }) => ({ query: asText(query, "query"), rank: asNumber(rank, "rank") }));
  const similarities = found
    .filter(({ source }) => source === "vec")
    .map(({ backendScore }) => asNumber(backendScore, "backendScore"));
  const document = {
    collection: file[1]!,
    file: file[2]!,
    hashStart: asText(result.docid, "docid").replace(/^#/, ""),
    byKeyword,
  };
  if (similarities.length === 0 && !isReranked) return document;
  const text = cutOut(asText(result.snippet, "snippet"));
  return {
    ...document,
    ...(similarities.length > 0 && {
      byVector: { similarity: Math.max(...similarities), text, offset: null },
    }),
    ...(isReranked && {
      rerank: { score: asNumber(explain.rerankScore, "rerankScore"), text, offset: null },
    }),
  };
}

/** The text of a snippet, without its position line and trailing dots. */
function cutOut(snippet: string): string {
  return snippet.replace(/^@@ [^\n]*\n/, "").replace(/\.\.\.$/, "");
}

function asObject(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw refuse(`${name} is missing`);
}

function asText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw refuse(`${name} is not a string`);
}

function asNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw refuse(`${name} is not a number`);
}

function refuse(why: string) {
  return qmdFailure(`its answer cannot be understood: ${why}`);
}
