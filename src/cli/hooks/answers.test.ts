import assert from "node:assert/strict";
import { test } from "node:test";
import { answerJson } from "./answers.ts";

test("on Windows an answer survives a shell that decodes it with another encoding", () => {
  const value = { text: 'Zoë’s "kiln" 窯 🔥\n\u0085\u007f' };
  const printed = answerJson(value, "win32");
  assert.match(printed, /^[ -~\x7f]*$/);
  assert.match(printed, /Zo\\u00eb\\u2019s/);
  assert.deepEqual(JSON.parse(printed), value);
  for (const platform of ["linux", "darwin"] as const)
    assert.equal(answerJson(value, platform), JSON.stringify(value));
});
