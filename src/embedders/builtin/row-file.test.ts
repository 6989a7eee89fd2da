import assert from "node:assert/strict";
import { copyFileSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createRowAdder, openRowFile } from "./row-file.ts";
import { parseSafetensors } from "./safetensors.ts";

const table = join(import.meta.dirname, "..", "..", "..", "models", "builtin", "embeddings.safetensors");

suite("openRowFile", () => {
  test("gives the rows of the whole table, in any order, even after it was closed", () => {
    const whole = createRowAdder(parseSafetensors(readFileSync(table), table), table);
    const rows = openRowFile(table);
    assert.deepEqual([rows.rowCount, rows.dimensions], [whole.rowCount, whole.dimensions]);
    for (let step = 0; step < 500; step++) {
      const id = step < 2 ? step * (rows.rowCount - 1) : (step * 7919) % rows.rowCount;
      const [expected, found] = [new Float64Array(rows.dimensions), new Float64Array(rows.dimensions)];
      whole.addRow(id, expected);
      rows.addRow(id, found);
      assert.deepEqual(found, expected, `row ${id}`);
      if (step % 100 === 99) rows.close();
    }
    rows.close();
  });

  test("adds many rows as it adds one after the other, to the last bit", () => {
    const whole = createRowAdder(parseSafetensors(readFileSync(table), table), table);
    const rows = openRowFile(table);
    // Read before the others, and still the same afterwards.
    rows.addRow(7919, new Float64Array(rows.dimensions));
    const ids = Array.from({ length: 5000 }, (_, step) => (step * 7919) % rows.rowCount);
    for (const [from, end] of [
      [0, 1],
      [0, 0],
      [5, 25],
      [0, 300],
      // Enough for the kernel, which then adds all others, too.
      [0, 5000],
      [5, 25],
      [0, 1],
      [300, 300],
    ] as const) {
      const [expected, found] = [rows, whole].map(({ dimensions }) => new Float64Array(dimensions).fill(0.1));
      for (const id of ids.slice(from, end)) whole.addRow(id, expected!);
      rows.addRows(ids, from, end, found!);
      assert.deepEqual(found, expected, `rows ${from} to ${end}`);
    }
    const [expected, found] = [new Float64Array(rows.dimensions), new Float64Array(rows.dimensions)];
    whole.addRow(7919, expected);
    rows.addRow(7919, found);
    assert.deepEqual(found, expected);
    rows.close();
  });

  test("refuses a file that is truncated, or has no such table", (t) => {
    const folder = makeTemporaryFolder(t);
    const file = folder.at("embeddings.safetensors");
    copyFileSync(table, file);
    const rows = openRowFile(file);
    truncateSync(file, 1_000_000);
    assert.throws(() => rows.addRow(29_000, new Float64Array(rows.dimensions)), { code: "model-unusable" });
    rows.close();
    assert.throws(() => openRowFile(file), { code: "model-unusable" });
    assert.throws(() => openRowFile(folder.write("empty", "")), { code: "model-unusable" });
    const header = JSON.stringify({ embeddings: { dtype: "F32", shape: [1, 2], data_offsets: [0, 8] } });
    const other = Buffer.alloc(16 + header.length);
    other.writeBigUInt64LE(BigInt(header.length));
    other.write(header, 8);
    assert.throws(() => openRowFile(folder.write("other", other)), { code: "model-unusable" });
  });
});
