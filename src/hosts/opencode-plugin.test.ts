import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { packageFile } from "../package-files.ts";

type Hook = (input: object, output: Record<string, unknown[]>) => Promise<void>;

interface Plugin {
  Longhand(input: { client: object; directory: string }): Promise<Record<string, Hook>>;
}

const file = packageFile("plugins", "opencode", "longhand.js");

test("of two copies of OpenCode's plugin in one instance, one has hooks", async () => {
  const url = pathToFileURL(file);
  const [one, two] = (await Promise.all(["one", "two"].map((copy) => import(`${url}?${copy}`)))) as Plugin[];
  const instances = [{}, {}].map((client) => ({ client, directory: "/" }));
  for (const instance of instances) {
    assert.ok(Object.keys(await one!.Longhand(instance)).length > 0);
    assert.deepEqual(await two!.Longhand(instance), {});
  }
});

const decision = "We decided to use PostgreSQL 17 for the ledger.";

/** The plugin in a folder of its own, with a program in place of longhand that records how it was started. */
async function openPlugin(t: TestContext, { dies = "never" }: { dies?: string } = {}) {
  const folder = makeTemporaryFolder(t);
  const log = folder.write("log.jsonl", "");
  const program = folder.write(
    "program.mjs",
    `import { appendFileSync, readFileSync } from "node:fs";
const input = JSON.parse(readFileSync(0, "utf8"));
const said = input.transcript_path && readFileSync(input.transcript_path, "utf8");
const before = readFileSync(${JSON.stringify(log)}, "utf8");
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), input, said }) + "\\n");
const dies = ${JSON.stringify(dies)};
if (dies === "always" || (dies === "once" && !before.includes("pre-compact"))) process.kill(process.pid, "SIGKILL");
if (process.argv[3] === "pre-compact") console.log("Keep in the summary.");
`,
  );
  const launch = { command: [process.execPath, program], options: [] };
  const copy = folder.write(
    "longhand.mjs",
    readFileSync(file, "utf8").replace(
      /^const launch = .*$/m,
      () => `const launch = ${JSON.stringify(launch)};`,
    ),
  );
  const { Longhand } = (await import(pathToFileURL(copy).href)) as Plugin;
  const messages: object[] = [];
  const say = (role: string, text: string, more: object = {}) =>
    messages.push({
      info: { id: `m${messages.length}`, role, time: { created: Date.now() }, ...more },
      parts: [{ type: "text", text }],
    });
  let answers: "data" | "error" = "data";
  const client = {
    session: { messages: async () => (answers === "data" ? { data: [...messages] } : { error: "busy" }) },
  };
  const hooks = await Longhand({ client, directory: folder.dir });
  return {
    say,
    answer: (how: typeof answers) => {
      answers = how;
    },
    async compact() {
      const output = { context: [] };
      await hooks["experimental.session.compacting"]!({ sessionID: "s1" }, output);
      return output.context;
    },
    start: () => hooks["experimental.chat.system.transform"]!({ sessionID: "s1" }, { system: [] }),
    runs: () =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { args: string[]; input: Record<string, unknown>; said?: string }),
  };
}

test("before a compaction OpenCode's plugin waits longer than for a prompt", async (t) => {
  const plugin = await openPlugin(t);
  plugin.say("user", decision);
  assert.deepEqual(await plugin.compact(), ["Keep in the summary."]);
  await plugin.start();
  const [compaction, start] = plugin.runs();
  assert.deepEqual(compaction!.args, ["hook", "pre-compact", "--within", "28"]);
  assert.equal(compaction!.input["transcript_is_copy"], true);
  assert.match(compaction!.said!, /PostgreSQL 17/);
  assert.deepEqual(start!.args, ["hook", "session-start", "--within", "5"]);
  assert.equal(plugin.runs().length, 2, "what is saved is not saved again");
});

test("a hook of OpenCode's plugin that dies before it has saved anything is run again at the next start", async (t) => {
  const plugin = await openPlugin(t, { dies: "once" });
  plugin.say("user", "An earlier decision.");
  plugin.say("assistant", "The summary of it.", { summary: true });
  plugin.say("user", decision);
  assert.deepEqual(await plugin.compact(), []);
  // OpenCode adds its summary only now, and the conversation continues.
  const time = { created: Date.now() + 1 };
  plugin.say("assistant", "The new summary.", { summary: true, time });
  plugin.say("user", "Go on.", { time });
  await plugin.start();
  await plugin.start();
  const runs = plugin.runs();
  assert.deepEqual(
    runs.map(({ args }) => args[1]),
    ["pre-compact", "pre-compact", "session-start"],
  );
  assert.equal(runs[1]!.said, runs[0]!.said, "with what was said before the compaction");
});

test("OpenCode's messages are requested again if it did not return them", async (t) => {
  const plugin = await openPlugin(t);
  plugin.say("user", decision);
  plugin.answer("error");
  assert.deepEqual(await plugin.compact(), []);
  plugin.answer("data");
  await plugin.start();
  const [compaction] = plugin.runs();
  assert.match(compaction!.said!, /PostgreSQL 17/);
});

test("an unfinished summary of OpenCode does not hide the messages that it covers", async (t) => {
  const plugin = await openPlugin(t);
  plugin.say("user", decision);
  plugin.say("assistant", "", { summary: true });
  await plugin.compact();
  const kinds = plugin
    .runs()[0]!
    .said!.trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  assert.deepEqual(kinds, ["session", "message"]);
});
