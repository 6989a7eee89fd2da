import type { Arrow, ArrowTable } from "./lance-package.ts";
import { cacheSchema } from "./schema.ts";

/** Vectors by the hash of their text, as rows of a table. Made by hand: a builder takes each number by itself. */
export function vectorRows(
  arrow: Arrow,
  vectors: ReadonlyMap<string, Float32Array>,
  { dims, nowMs }: { readonly dims: number; readonly nowMs: number },
): ArrowTable {
  const { Float32, Float64, RecordBatch, Struct, Table, Utf8, makeData, vectorFromArray } = arrow;
  const schema = cacheSchema(arrow, dims);
  const length = vectors.size;
  const numbers = new Float32Array(length * dims);
  for (const [index, vector] of [...vectors.values()].entries()) numbers.set(vector, index * dims);
  const type = schema.fields[2]!.type as InstanceType<Arrow["FixedSizeList"]>;
  const child = makeData({ type: new Float32(), data: numbers });
  const children = [
    vectorFromArray([...vectors.keys()], new Utf8()).data[0]!,
    makeData({ type: new Float64(), data: new Float64Array(length).fill(nowMs) }),
    makeData({ type, length, nullCount: 0, child }),
  ];
  const rows = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, rows)]);
}
