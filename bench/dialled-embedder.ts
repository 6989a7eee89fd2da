import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Embedder, isRefused } from "../src/embedders/embedder.ts";
import { createRandom } from "../src/eval/compare.ts";
import type { QuestionSet } from "../src/eval/question.ts";
import { sha256 } from "../src/text/hash.ts";
import { toUnitLength } from "./made-up-notes.ts";

export interface Dial {
  /** 0 is random; at 1.5 nearly every answer is the most similar text. */
  readonly strength: number;
  readonly vectorsPerText: "one" | "several";
  /** Another seed draws other noise. */
  readonly seed?: number;
}

const dimensions = 256;
const windowChars = 200;
const markChars = 150;

/**
 * An embedder whose strength can be set, made from the answers of a question set: the vector of a text is noise, and a
 * direction of its own for each question that it answers; that of a question is noise, and its direction times the
 * strength. Any other text is noise. The same text always has the same vectors.
 */
export function createDialledEmbedder(
  set: QuestionSet,
  { strength, vectorsPerText, seed = 0 }: Dial,
): Embedder {
  const noiseOf = (name: string): Float32Array => drawNoise(seed === 0 ? name : `${seed} ${name}`);
  const linesOf = createLineReader(set.workspaceDir);
  const directions = new Map<string, Float32Array>();
  const answers: { readonly direction: Float32Array; readonly marks: readonly string[] }[] = [];
  for (const { id, query, gold } of set.questions) {
    const direction = noiseOf(`direction of ${id}`);
    directions.set(query, direction);
    const marks = gold.map(({ path, startLine, endLine }) =>
      markOf(linesOf(path).slice(startLine - 1, endLine)),
    );
    answers.push({ direction, marks: marks.filter((mark) => mark.length > 3) });
  }
  const vectorOf = (text: string): Float32Array => {
    const vector = noiseOf(text);
    for (const { direction, marks } of answers) {
      if (marks.some((mark) => text.includes(mark))) add(vector, direction, 1);
    }
    return toUnitLength(vector);
  };
  return {
    specificationVersion: 1,
    // The strength shows only in the vectors of questions, so embedders of any strength share an index.
    id: `dial:${vectorsPerText}:${seed}`,
    provider: "dial",
    model: "dial",
    dimensions,
    maxBatch: 256,
    vectorsPerText,
    embedDocuments: async (texts) =>
      texts.map((text) => (vectorsPerText === "one" ? [text] : cutIntoWindows(text)).map(vectorOf)),
    async embedQuery(text) {
      const vector = noiseOf(`question ${text}`);
      const direction = directions.get(text);
      if (direction !== undefined) add(vector, direction, strength);
      return toUnitLength(vector);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The part of a vector, squared, that says what a text is about. */
const usualTopicShare = 0.3;

/**
 * Adds what a text is about, by the builtin model with one vector per text. Like any real model, and unlike noise, such
 * an embedder finds the text that a sentence is from, so it passes the check of an embedder whatever its strength. With
 * a `topicShare` of 1 it is nothing but a weak real model.
 */
export function addTopics(dialled: Embedder, builtin: Embedder, topicShare = usualTopicShare): Embedder {
  const join = (topics: readonly Float32Array[], own: Float32Array): Float32Array => {
    const topic = new Float32Array(builtin.dimensions!);
    for (const each of topics) add(topic, each, 1);
    const parts = [
      ...toUnitLength(topic).map((value) => value * Math.sqrt(topicShare)),
      ...own.map((value) => value * Math.sqrt(1 - topicShare)),
    ];
    return toUnitLength(Float32Array.from(parts));
  };
  return {
    ...dialled,
    id: `${dialled.id}:topics:${topicShare}`,
    dimensions: builtin.dimensions! + dimensions,
    vectorsPerText: "one",
    async embedDocuments(texts) {
      const [topics, own] = [await builtin.embedDocuments(texts), await dialled.embedDocuments(texts)];
      return texts.map((_, i) => [join(vectorsIn(topics[i]!), vectorsIn(own[i]!)[0]!)]);
    },
    async embedQuery(text) {
      const [[topics], own] = [await builtin.embedDocuments([text]), await dialled.embedQuery(text)];
      return own && join(vectorsIn(topics!), own);
    },
  };
}

function vectorsIn(
  vectors: Awaited<ReturnType<Embedder["embedDocuments"]>>[number],
): readonly Float32Array[] {
  return isRefused(vectors) ? [] : vectors;
}

function createLineReader(workspaceDir: string): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const lines = known.get(path) ?? readFileSync(join(workspaceDir, path), "utf8").split("\n");
    known.set(path, lines);
    return lines;
  };
}

/** The start of the longest line tells an answer from other text; chunks divide a long line, but not its start. */
function markOf(lines: readonly string[]): string {
  return lines
    .reduce((longest, line) => (line.length > longest.length ? line : longest), "")
    .slice(0, markChars);
}

/** Whole lines, about as many characters each. */
function cutIntoWindows(text: string): string[] {
  const windows: string[] = [];
  for (const line of text.split("\n")) {
    const last = windows.at(-1);
    if (last === undefined || last.length + line.length > windowChars) windows.push(line);
    else windows[windows.length - 1] = `${last}\n${line}`;
  }
  return windows;
}

/** A direction that depends on the name alone, by the Box-Muller transform. */
function drawNoise(name: string): Float32Array {
  const random = createRandom(Number.parseInt(sha256(name).slice(0, 8), 16));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return toUnitLength(Float32Array.from({ length: dimensions }, normal));
}

function add(vector: Float32Array, direction: Float32Array, share: number): void {
  for (let i = 0; i < vector.length; i++) vector[i]! += share * direction[i]!;
}
