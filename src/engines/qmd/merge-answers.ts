import type { QmdDocument } from "./driver.ts";

/** Several answers as one: of a document that is in more than one, all that found it and its best scores. */
export function mergeAnswers(answers: readonly (readonly QmdDocument[])[]): QmdDocument[] {
  const merged = new Map<string, QmdDocument>();
  for (const document of answers.flat()) {
    const key = `${document.collection}/${document.file}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? document : join(known, document));
  }
  return [...merged.values()];
}

function join(left: QmdDocument, right: QmdDocument): QmdDocument {
  const byMeaning = best(left.byMeaning, right.byMeaning, ({ similarity }) => similarity);
  const rerank = best(left.rerank, right.rerank, ({ score }) => score);
  return {
    ...left,
    byWord: [...left.byWord, ...right.byWord],
    ...(byMeaning && { byMeaning }),
    ...(rerank && { rerank }),
  };
}

function best<T>(left: T | undefined, right: T | undefined, scoreOf: (value: T) => number): T | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return scoreOf(right) > scoreOf(left) ? right : left;
}
