import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { finish, firstOutput, startProgram } from "../../../test/support/child-process.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { makeTinyModel } from "../../../test/support/tiny-gguf.ts";
import { createModelProcess, type ModelProcess, type ModelProcessOptions } from "./model-process.ts";

const request = { isUrgent: false, deadlineMs: 120_000, signal: undefined };

function openModel(t: TestContext, changes: Partial<ModelProcessOptions> = {}): ModelProcess {
  const file = makeTemporaryFolder(t).write("tiny.gguf", makeTinyModel());
  const model = createModelProcess({
    file,
    contextTokens: 512,
    packageName: "node-llama-cpp",
    environment: {},
    ...changes,
  });
  t.after(() => model[Symbol.asyncDispose]());
  return model;
}

test("The process starts with the first call and ends when it is closed", async (t) => {
  const model = openModel(t);
  await assert.rejects(model.embed(["hello"], { ...request, signal: AbortSignal.abort() }), {
    code: "aborted",
  });
  assert.equal(model.pid, null, "a cancelled call starts nothing");
  const [vector] = await model.embed(["hello"], request);
  assert.equal(vector?.length, 64);
  const { pid } = model;
  assert.ok(isRunning(pid!));
  await model[Symbol.asyncDispose]();
  assert.equal(isRunning(pid!), false);
  assert.equal(model.pid, null);
  await assert.rejects(model.embed(["hello"], request), { code: "aborted" });
});

test("Killing the process fails the pending call, and the next call starts another", async (t) => {
  const model = openModel(t);
  const [before] = await model.embed(["the same text"], request);
  const first = model.pid!;
  const broken = model.embed(Array(500).fill("a long list of texts"), request);
  process.kill(first, "SIGKILL");
  await assert.rejects(broken, { code: "model-stopped", message: /SIGKILL/, retryable: true });
  const [after] = await model.embed(["the same text"], request);
  assert.deepEqual(after, before);
  assert.notEqual(model.pid, first);
});

test("A process that keeps dying is not restarted forever", async (t) => {
  const model = openModel(t);
  for (let times = 1; times <= 3; times++) {
    const call = model.embed(["text"], request);
    process.kill(model.pid!, "SIGKILL");
    await assert.rejects(call, { code: "model-stopped", retryable: times < 3 });
  }
  const call = model.embed(["text"], request);
  assert.equal(model.pid, null, "no fourth process");
  await assert.rejects(call, { code: "model-stopped", message: /3 times in a row/ });
});

test("A file that native code refuses is an error that names the path", async (t) => {
  // Complete according to its header, but with tables that the architecture does not have.
  const file = makeTemporaryFolder(t).write("odd.gguf", renamed(makeTinyModel(), "bert", "berd"));
  const model = openModel(t, { file });
  await assert.rejects(model.embed(["text"], request), (error: Error & { code?: string }) => {
    assert.ok(error.code === "model-unusable" || error.code === "model-stopped", error.code);
    return error.message.includes(file);
  });
});

test("A context size above that of the training is lowered, because it would abort the process", async (t) => {
  const model = openModel(t, { contextTokens: 8192 });
  const [vector] = await model.embed(["x ".repeat(2000)], request);
  assert.equal(vector?.length, 64);
});

test("A missing package is named with the command that installs it", async (t) => {
  const model = openModel(t, { packageName: "node-llama-that-nobody-has" });
  await assert.rejects(model.embed(["text"], request), {
    code: "dependency-missing",
    hint: /npm install node-llama-that-nobody-has/,
  });
});

test("A cancelled call ends at once, and the process continues for the others", async (t) => {
  const model = openModel(t);
  await model.embed(["warm"], request);
  const { pid } = model;
  const controller = new AbortController();
  const long = model.embed(Array(5000).fill("many words in many texts "), {
    ...request,
    signal: controller.signal,
  });
  controller.abort();
  await assert.rejects(long, { code: "aborted" });
  let isNextDone = false;
  const next = model.embed(["next"], request).finally(() => {
    isNextDone = true;
  });
  // Between two questions, the process embeds hardly more than one other text.
  for (let i = 0; i < 20; i++) await model.embed(["question"], { ...request, isUrgent: true });
  assert.ok(isNextDone, "the cancelled texts are not embedded first");
  assert.equal((await next).length, 1);
  assert.equal(model.pid, pid);
});

test("A query is served before an earlier batch", async (t) => {
  const model = openModel(t);
  const order: string[] = [];
  const batch = model.embed(Array(200).fill("a note among many "), request).then(() => order.push("batch"));
  await model.embed(["question"], { ...request, isUrgent: true });
  order.push("question");
  await batch;
  assert.deepEqual(order, ["question", "batch"]);
});

test("A process that does not answer in time is killed", async (t) => {
  const model = openModel(t);
  await model.embed(["warm"], request);
  const { pid } = model;
  process.kill(pid!, "SIGSTOP");
  await assert.rejects(model.embed(["text"], { ...request, deadlineMs: 50 }), {
    code: "model-stopped",
    message: /50 ms/,
  });
  assert.equal((await model.embed(["text"], request)).length, 1);
  assert.notEqual(model.pid, pid);
});

test("The process sees the given environment and nothing else", {
  skip: existsSync("/proc/self/environ") ? false : "there is no /proc here",
}, async (t) => {
  process.env["LONGHAND_TEST_API_KEY"] = "canary-5f1c";
  t.after(() => delete process.env["LONGHAND_TEST_API_KEY"]);
  const model = openModel(t, { environment: { LANG: "C.UTF-8" } });
  await model.embed(["text"], request);
  const environment = readFileSync(`/proc/${model.pid}/environ`, "utf8");
  assert.match(environment, /LANG=C\.UTF-8/);
  assert.doesNotMatch(environment, /canary|API_KEY|PATH=/);
});

const program = `
  import { createModelProcess } from ${JSON.stringify(import.meta.resolve("./model-process.ts"))};
  const [file, then] = process.argv.slice(-2);
  const model = createModelProcess({ file, contextTokens: 512, packageName: "node-llama-cpp", environment: {} });
  await model.embed(["text"], { isUrgent: false, deadlineMs: 120_000, signal: undefined });
  console.log(model.pid);
  if (then === "stay") setInterval(() => {}, 1000);
`;

test("An idle model does not keep its host alive, and ends with it", async (t) => {
  const file = makeTemporaryFolder(t).write("tiny.gguf", makeTinyModel());
  const { code, stdout, stderr } = await finish(startProgram(t, program, [file, "leave"]));
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  await untilGone(Number(stdout));
});

test("The model ends when its host is killed", async (t) => {
  const file = makeTemporaryFolder(t).write("tiny.gguf", makeTinyModel());
  const host = startProgram(t, program, [file, "stay"]);
  const pid = Number(await firstOutput(host));
  assert.ok(isRunning(pid));
  host.kill("SIGKILL");
  await once(host, "close");
  await untilGone(pid);
});

function renamed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(`${from}.`, `${to}.`), "latin1");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** It is no longer anyone's child process, so there is no event to wait for. */
async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
}
