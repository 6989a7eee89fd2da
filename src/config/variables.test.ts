// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are tested here.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { expandVariables, isCompilerChosen, readVariable } from "./variables.ts";

const env = { NAME: "Ann", EMPTY: "", NESTED: "${NAME}", COST: "$&" };

test("a variable in braces is expanded anywhere in a string", () => {
  assert.equal(expandVariables("${NAME} and ${NAME}!", env).text, "Ann and Ann!");
  assert.deepEqual(expandVariables("${NAME}${EMPTY}", env).used, ["NAME", "EMPTY"]);
});

test("the value of a variable is not expanded again", () => {
  assert.equal(expandVariables("${NESTED} ${COST}", env).text, "${NAME} $&");
});

test("a doubled dollar sign is a literal dollar sign", () => {
  assert.deepEqual(expandVariables("$${NAME}", env), { text: "${NAME}", used: [], missing: [] });
});

test("an unset variable is reported by name", () => {
  assert.deepEqual(expandVariables("x ${MISSING} ${NAME}", env).missing, ["MISSING"]);
  assert.deepEqual(expandVariables("${constructor} ${__proto__}", {}).missing, ["constructor", "__proto__"]);
});

test("other uses of dollar signs and braces are unchanged", () => {
  for (const text of ["$NAME", "${}", "${1}", "${a b}", "{date}", "${NAME", "50 $"]) {
    assert.equal(expandVariables(text, env).text, text);
  }
});

test("a string without a dollar sign never changes", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes("$"));
      assert.deepEqual(expandVariables(text, env), { text, used: [], missing: [] });
    }),
    { seed: 7 },
  );
});

test("an empty variable that longhand itself reads counts as unset", () => {
  assert.equal(readVariable({ A: "" }, "A"), null);
  assert.equal(readVariable({}, "toString"), null);
  assert.equal(readVariable({ A: " x " }, "A"), " x ");
});

test("flags that choose V8's compilers are noticed, on the command line and in NODE_OPTIONS", () => {
  assert.ok(isCompilerChosen({}, ["--jitless"]));
  assert.ok(isCompilerChosen({ NODE_OPTIONS: "--no-warnings --no-opt" }, []));
  assert.ok(!isCompilerChosen({ NODE_OPTIONS: "--max-old-space-size=4096" }, ["--no-warnings"]));
});
