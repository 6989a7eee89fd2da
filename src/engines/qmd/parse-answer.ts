import type { QmdDocument } from "./driver.ts";
import { qmdFailure, shorten } from "./qmd-failure.ts";

/**
 * Reads what `qmd query --json --explain` prints. Nothing of it is taken on trust: an answer that is not of this form
 * is no answer.
 */
export function parseAnswer(output: string, { isReranked = false } = {}): QmdDocument[] {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    // So it says that there is none, whatever the form that was asked for.
    if (/^no results/i.test(output.trim())) return [];
    throw refuse(`it is no JSON: ${JSON.stringify(shorten(output, 60))}`);
  }
  if (!Array.isArray(value)) throw refuse("it is no list");
  return value.map((result) => parseResult(result, isReranked));
}

function parseResult(value: unknown, isReranked: boolean): QmdDocument {
  const result = asObject(value, "a result");
  const file = /^qmd:\/\/([^/]+)\/(.+)$/.exec(asText(result.file, "file"));
  if (file === null) throw refuse("a result has a file that is no address of qmd");
  const explain = asObject(result.explain, "explain");
  const rrf = asObject(explain.rrf, "rrf");
  if (!Array.isArray(rrf.contributions)) throw refuse("a result does not say what found it");
  const found = rrf.contributions.map((each) => asObject(each, "a contribution"));
  const byWord = found
    .filter(({ source }) => source === "fts")
    .map(({ query, rank }) => ({ query: asText(query, "query"), rank: asNumber(rank, "rank") }));
  const similarities = found
    .filter(({ source }) => source === "vec")
    .map(({ backendScore }) => asNumber(backendScore, "backendScore"));
  const document = {
    collection: file[1]!,
    file: file[2]!,
    hashStart: asText(result.docid, "docid").replace(/^#/, ""),
    byWord,
  };
  if (similarities.length === 0 && !isReranked) return document;
  const text = cutOut(asText(result.snippet, "snippet"));
  return {
    ...document,
    ...(similarities.length > 0 && {
      byMeaning: { similarity: Math.max(...similarities), text, offset: null },
    }),
    ...(isReranked && {
      rerank: { score: asNumber(explain.rerankScore, "rerankScore"), text, offset: null },
    }),
  };
}

/** The text of a snippet, without the line that says where it stands and the dots of a cut. */
function cutOut(snippet: string): string {
  return snippet.replace(/^@@ [^\n]*\n/, "").replace(/\.\.\.$/, "");
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw refuse(`${name} is missing`);
}

function asText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw refuse(`${name} is no text`);
}

function asNumber(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw refuse(`${name} is no number`);
}

function refuse(why: string) {
  return qmdFailure(`its answer cannot be understood: ${why}`);
}
