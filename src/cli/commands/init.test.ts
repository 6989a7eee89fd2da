import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { resolveSettings } from "../../config/settings.ts";
import type { CommandContext } from "../command.ts";
import { askForProvider } from "./init.ts";

async function ask(
  t: TestContext,
  answer: string,
  { isTTY = true, json = false, env = { VOYAGE_API_KEY: "k" } as object } = {},
) {
  const asked: string[] = [];
  const folder = makeTemporaryFolder(t, { "config.json5": "{}" });
  const settings = await resolveSettings({
    config: folder.at("config.json5"),
    env: { HOME: folder.dir, USERPROFILE: folder.dir, ...env },
    cwd: folder.dir,
  });
  const input = {
    isTTY,
    destroy() {},
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(answer);
    },
  };
  const context = {
    input,
    globals: { json },
    signal: new AbortController().signal,
    output: { ask: (text: string) => void asked.push(text) },
  } as unknown as CommandContext;
  return { chosen: await askForProvider(context, settings), asked: asked.join("") };
}

test("only a yes sends texts to a service, and a no is remembered", async (t) => {
  const { chosen, asked } = await ask(t, "y\n");
  assert.equal(chosen, "voyage");
  assert.match(asked, /VOYAGE_API_KEY is set .* sent to api\.voyageai\.com\.\nUse voyage\? \[y\/N\]/s);
  for (const [answer, expected] of Object.entries({
    "YES\n": "voyage",
    "n\n": "builtin",
    "No\n": "builtin",
    "\n": null,
    "": null,
    "yesterday\n": null,
  })) {
    assert.equal((await ask(t, answer)).chosen, expected, JSON.stringify(answer));
  }
});

test("nothing is asked without a terminal, or if there is nothing to decide", async (t) => {
  for (const options of [{ isTTY: false }, { json: true }, { env: {} }]) {
    assert.deepEqual(await ask(t, "y\n", options), { chosen: undefined, asked: "" });
  }
});
