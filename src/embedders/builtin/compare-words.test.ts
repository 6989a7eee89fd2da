import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";

const { compareWords } = await openBuiltinEmbedder();
const compare = (query: string, texts: readonly string[]) => compareWords!(query, query.split(" "), texts);

suite("compareWords", () => {
  test("gives the most similar word of a text for each word of the query", () => {
    const [physician, bread] = compare("doctor", ["Our physician is in town.", "Bread and butter."]);
    assert.ok(physician!.cosines[0]! > 0.5);
    assert.ok(bread!.cosines[0]! < 0.3);
  });

  test("weighs a word by how few of the texts contain it", () => {
    const text = "bicycle garage";
    const alone = compare("bike", [text, "soup", "paint"])[0]!.similarity!;
    const common = compare("bike", [text, "bicycle soup", "bicycle paint"])[0]!.similarity!;
    assert.ok(common < alone, `${common} < ${alone}`);
  });

  test("compares runs of words, so that a long text is as similar as its best part", () => {
    const other = "The paint in the kitchen is yellow and the soup is warm. ".repeat(8);
    const [short, long] = compare("bicycle repair", ["We fix bikes.", `${other} We fix bikes. ${other}`]);
    const [, none] = compare("bicycle repair", ["We fix bikes.", `${other} ${other}`]);
    assert.ok(long!.similarity! > none!.similarity!);
    assert.ok(short!.similarity! > long!.similarity!);
  });

  test("gives null for a text, or a query, without a known word", () => {
    assert.deepEqual(
      compare("bike", ["", "2024 17", "bicycle"]).map(({ similarity }) => similarity === null),
      [true, true, false],
    );
    assert.equal(compareWords!("", [], ["bicycle"])[0]!.similarity, null);
  });
});
