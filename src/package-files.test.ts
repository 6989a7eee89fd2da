import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { rolldown } from "rolldown";
import { makeTemporaryFolder } from "../test/support/temporary-folder.ts";

test("in a bundle for CommonJS, which has no import.meta, it says to leave longhand out", async (t) => {
  const { dir } = makeTemporaryFolder(t, {});
  await using bundle = await rolldown({
    input: join(import.meta.dirname, "package-files.ts"),
    platform: "node",
    transform: { define: { "import.meta.filename": "undefined" } },
  });
  await bundle.write({ file: join(dir, "bundle.cjs"), format: "cjs" });
  const bundled = createRequire(import.meta.url)(join(dir, "bundle.cjs"));
  const refused = { code: "not-supported", message: /part of a bundle/, hint: /--external:longhand/ };
  assert.throws(() => bundled.packageFile("models"), refused);
  assert.throws(() => bundled.builtFile("builtin-model.bin"), refused);
});
