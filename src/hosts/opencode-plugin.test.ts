import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFile } from "../package-files.ts";

interface Plugin {
  Longhand(input: { client: object; directory: string }): Promise<object>;
}

test("of two copies of OpenCode's plugin in one instance, one has hooks", async () => {
  const file = pathToFileURL(packageFile("plugins", "opencode", "longhand.js"));
  const [one, two] = (await Promise.all(["one", "two"].map((copy) => import(`${file}?${copy}`)))) as Plugin[];
  const instances = [{}, {}].map((client) => ({ client, directory: "/" }));
  for (const instance of instances) {
    assert.ok(Object.keys(await one!.Longhand(instance)).length > 0);
    assert.deepEqual(await two!.Longhand(instance), {});
  }
});
