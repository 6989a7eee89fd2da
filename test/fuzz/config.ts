import { writeFileSync } from "node:fs";
import path from "node:path";
import { loadConfigFile } from "../../src/config/load.ts";
import { LonghandError } from "../../src/errors.ts";
import { type Chooser, createChooser } from "./choose.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

const keys =
  "agents|defaults|list|id|workspace|userTimezone|memorySearch|query|maxResults|minScore|hybrid|store|path|sync|extraPaths|exclude|remote|apiKey|headers|baseUrl|models|providers|openai|tools|forget|plugins|slots|memory|__proto__|constructor|toString|''|x".split(
    "|",
  );
const values =
  "{|}|[|]|:|,|'|\"|true|false|null|NaN|Infinity|-1|0|1e999|0x10|.5|5.|'\u0024{HOME}'|'\u0024{'|'\u0024{}'|'~'|'Europe/Berlin'|'x'|// c\n|/* c */|/*|\\|\n|\u2028|\ufeff|undefined|[[[[|{a:|'\\u00".split(
    "|",
  );

/** Any file is either a valid configuration or fails with `config-invalid` and the reason. */
export const fuzzConfig: FuzzSuite = async ({ seed, count, dir }) => {
  const chooser = createChooser(seed);
  const tally = createTally();
  const file = path.join(dir, "longhand.json5");
  let valid = 0;
  for (let turn = 0; turn < count; turn++) {
    const content = makeConfig(chooser);
    writeFileSync(file, content);
    try {
      await loadConfigFile({ path: file, named: true, env: { HOME: "/home/x" } });
      valid++;
    } catch (error) {
      const isTold = error instanceof LonghandError && error.code === "config-invalid" && error.hint !== "";
      if (!isTold) tally.fail(`${JSON.stringify(content.toString().slice(0, 300))} failed with ${error}`);
    }
  }
  return tally.report(count, `${valid} were valid`);
};

function makeConfig(chooser: Chooser): string | Buffer {
  const { below, one, chance, text } = chooser;
  if (chance(0.05)) return Buffer.from(Array.from({ length: below(200) }, () => below(256)));
  if (chance(0.01)) return one(["[", "{a:", "[[{x:", "-", "'", "/*"]).repeat(1 + below(100_000));
  if (chance(0.5)) return writeValue(chooser, 0);
  return Array.from({ length: below(40) }, () =>
    chance(0.1) ? text(5) : one(chance(0.5) ? keys : values),
  ).join("");
}

/** Well-formed JSON of any shape, to test the checks behind the parser. */
function writeValue(chooser: Chooser, depth: number): string {
  const { below, one, chance, text } = chooser;
  const kind = depth > 6 ? 3 : below(5);
  const inner = (): string => writeValue(chooser, depth + 1);
  if (kind === 0) return `[${Array.from({ length: below(4) }, inner).join(",")}]`;
  if (kind <= 2) return `{${Array.from({ length: below(5) }, () => `${one(keys)}:${inner()}`).join(",")}}`;
  if (chance(0.3)) return JSON.stringify(text(10));
  return one([
    "true",
    "false",
    "null",
    "0",
    "-1",
    "1e9",
    "0.5",
    "NaN",
    "Infinity",
    "'builtin'",
    "'\u0024{HOME}'",
    "'\u0024{X'",
  ]);
}
