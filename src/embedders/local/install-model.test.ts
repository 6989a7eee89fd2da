import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Behaviour, openModelServer } from "../../../test/support/model-server.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { makeTinyModel } from "../../../test/support/tiny-gguf.ts";
import { type InstallOptions, installModel, partialPath } from "./install-model.ts";
import { listModels } from "./model-file.ts";
import { locateModel } from "./model-location.ts";

const content = makeTinyModel();

async function setUp(t: TestContext, behaviour: Behaviour = {}) {
  const server = await openModelServer(t, content);
  server.behave(behaviour);
  const folder = makeTemporaryFolder(t);
  const model = `${server.url}/models/tiny.gguf`;
  const { file } = locateModel(model, folder.dir);
  const partials = () =>
    existsSync(path.dirname(file))
      ? readdirSync(path.dirname(file)).filter((name) => name.endsWith(".partial"))
      : [];
  const install = (options: Partial<InstallOptions> = {}) =>
    installModel({ model, modelCacheDir: folder.dir, retries: 0, retryDelayMs: 0, ...options });
  const assertInstalled = () => {
    assert.deepEqual(new Uint8Array(readFileSync(file)), content);
    assert.deepEqual(partials(), []);
  };
  return { server, folder, file, partials, install, assertInstalled };
}

test("A model is downloaded once, with progress up to its size", async (t) => {
  const { server, file, install, assertInstalled } = await setUp(t, { isHub: true });
  const seen: number[] = [];
  const installed = await install({ onProgress: ({ receivedBytes }) => seen.push(receivedBytes) });
  assert.deepEqual(installed, { path: file, sizeBytes: content.length, alreadyThere: false });
  assertInstalled();
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
  assert.equal(seen.at(-1), content.length);
  assert.deepEqual(server.requests, [
    "HEAD /models/tiny.gguf",
    "GET /models/tiny.gguf",
    "GET /content/models/tiny.gguf",
  ]);
  assert.equal((await install()).alreadyThere, true);
  assert.equal(server.requests.length, 3, "the second call sends no request");
});

for (const isHub of [true, false]) {
  test(`After a cut the next call continues from there${isHub ? ", through the hub" : ""}`, async (t) => {
    const { server, file, install, partials, assertInstalled } = await setUp(t, {
      isHub,
      cutAfterBytes: 100_000,
    });
    await assert.rejects(
      install(),
      (error: Error & { code?: string; hint?: string; retryable?: boolean }) => {
        assert.deepEqual([error.code, error.retryable], ["download-failed", true]);
        return /kept.*longhand models install/.test(error.hint ?? "");
      },
    );
    assert.equal(existsSync(file), false);
    const [partial] = partials();
    const arrived = statSync(path.join(path.dirname(file), partial!)).size;
    assert.ok(arrived > 0 && arrived <= 100_000, `${arrived} bytes`);
    server.requests.length = 0;
    server.behave({ isHub });
    await install();
    assertInstalled();
    assert.ok(server.requests.at(-1)!.endsWith(` bytes=${arrived}-`), server.requests.at(-1));
  });
}

test("A download resumes a lost connection, up to the limit", async (t) => {
  const { server, install, assertInstalled } = await setUp(t, { cutAfterBytes: 100_000 });
  await install({ retries: 10 });
  assertInstalled();
  assert.ok(server.requests.filter((request) => /^GET.*bytes=/.test(request)).length >= 3);
});

test("A file that changed meanwhile is downloaded from its beginning", async (t) => {
  const { server, install, partials, assertInstalled } = await setUp(t, {
    cutAfterBytes: 100_000,
    etag: '"old"',
  });
  await assert.rejects(install(), { code: "download-failed" });
  assert.equal(partials().length, 1);
  server.behave({ etag: '"new"' });
  await install();
  assertInstalled();
  assert.equal(server.requests.at(-1), "GET /models/tiny.gguf");
});

test("A file that changes between HEAD and GET is not joined with its old part", async (t) => {
  const { server, folder, file, install, assertInstalled } = await setUp(t);
  const old = partialPath(file, { version: '"old"' });
  folder.write(path.relative(folder.dir, old), new Uint8Array(content.length / 2));
  server.behave({ etag: '"new"', etagBefore: '"old"' });
  await install();
  assertInstalled();
  assert.ok(server.requests.at(-1)!.endsWith(` bytes=${content.length / 2}-`), "it was asked for the rest");
});

test("A server without ranges, ETags or HEAD sends everything again", async (t) => {
  for (const behaviour of [
    { ignoresRanges: true },
    { etag: null },
    { etag: 'W/"weak"' },
    { refusesHead: true },
  ]) {
    const { server, install, assertInstalled } = await setUp(t, { ...behaviour, cutAfterBytes: 100_000 });
    await assert.rejects(install(), { code: "download-failed" });
    server.behave(behaviour);
    await install();
    assertInstalled();
  }
});

test("A partial file that is longer than the whole is not resumed", async (t) => {
  const { folder, file, install, assertInstalled } = await setUp(t);
  const partial = partialPath(file, { version: '"one"' });
  folder.write(path.relative(folder.dir, partial), new Uint8Array(content.length + 10));
  await install();
  assertInstalled();
});

test("The download is compared with the hash that the hub gives", async (t) => {
  const { file, install, partials } = await setUp(t, { isHub: true, hash: "0".repeat(64) });
  await assert.rejects(install(), { code: "download-failed", message: /SHA-256.*0{64}/ });
  assert.equal(existsSync(file), false);
  assert.deepEqual(partials(), [], "resuming it could never succeed");
});

const shorter = content.length - 50;
const longer = content.length + 50;
const wrongLengths: Record<string, { behaviour: Behaviour; message: RegExp }> = {
  "less than the server announced": {
    behaviour: { announcedBytes: longer, cutAfterBytes: content.length },
    message: /connection/,
  },
  "less than the hub announced, in pieces": {
    behaviour: { isHub: true, isChunked: true, sentBytes: shorter },
    message: new RegExp(`ended after ${shorter} of ${content.length}`),
  },
  "more than the hub announced, in pieces": {
    behaviour: { isHub: true, isChunked: true, sentBytes: longer },
    message: /more than/,
  },
  "another length than the hub announced": {
    behaviour: { isHub: true, sentBytes: longer },
    message: new RegExp(`${longer} bytes instead of ${content.length}`),
  },
  "no length at all": { behaviour: { isChunked: true }, message: /how long it is/ },
};

for (const [title, { behaviour, message }] of Object.entries(wrongLengths)) {
  test(`A wrong length is noticed: ${title}`, async (t) => {
    const { file, install, partials, server, assertInstalled } = await setUp(t, behaviour);
    await assert.rejects(install(), { code: "download-failed", message });
    assert.equal(existsSync(file), false);
    assert.equal(partials().length, 1);
    server.behave({ isHub: behaviour.isHub ?? false });
    await install();
    assertInstalled();
  });
}

test("A web page instead of a model is not kept", async (t) => {
  const { file, install, partials } = await setUp(t, { content: Buffer.from("<html>Please log in</html>") });
  await assert.rejects(install(), { code: "download-failed", message: /not a GGUF file/ });
  assert.deepEqual([existsSync(file), partials()], [false, []]);
});

for (const [status, retryable] of [
  [401, false],
  [404, false],
  [429, true],
  [503, true],
] as const) {
  test(`An answer of ${status} is reported, with what to do`, async (t) => {
    const { server, install } = await setUp(t, { status });
    await assert.rejects(install({ retries: 2 }), {
      code: "download-failed",
      message: new RegExp(`${status}`),
      retryable,
    });
    assert.equal(server.requests.length, retryable ? 3 : 1);
  });
}

test("A redirect to plain HTTP, or in a loop, is not followed", async (t) => {
  const { server, install } = await setUp(t, { redirectTo: "http://models.example/tiny.gguf?sig=canary" });
  await assert.rejects(install(), (error: Error & { code?: string }) => {
    assert.equal(error.code, "download-failed");
    assert.match(error.message, /http:\/\/models\.example\/tiny\.gguf, which is not safe/);
    return !error.message.includes("canary");
  });
  server.behave({ redirectTo: "/models/tiny.gguf" });
  await assert.rejects(install(), { code: "download-failed", message: /more than 5 times/ });
});

test("A server that falls silent times out", async (t) => {
  const { install } = await setUp(t, { isSilent: true });
  await assert.rejects(install({ idleMs: 30 }), { code: "download-failed", message: /nothing arrived/ });
});

test("A server that does not exist is reported at once", async (t) => {
  const { server, folder } = await setUp(t);
  const model = `${server.url}/a.gguf`;
  await server.close();
  const options = { model, modelCacheDir: folder.dir, retries: 3, retryDelayMs: 600_000 };
  await assert.rejects(installModel(options), {
    code: "download-failed",
    message: /ECONNREFUSED/,
    retryable: true,
  });
});

test("A cancelled download keeps what has arrived", async (t) => {
  const { install, partials, assertInstalled } = await setUp(t);
  const controller = new AbortController();
  const stopped = install({
    signal: controller.signal,
    onProgress: ({ receivedBytes }) => {
      if (receivedBytes > 0) controller.abort();
    },
  });
  await assert.rejects(stopped, { code: "aborted" });
  assert.equal(partials().length, 1);
  await install();
  assertInstalled();
});

test("A full disk is named, and nothing is retried", {
  skip: !existsSync("/dev/full") && "no /dev/full here",
}, async (t) => {
  const { folder, server, file, install } = await setUp(t);
  folder.makeFolder(path.relative(folder.dir, path.dirname(file)));
  symlinkSync("/dev/full", partialPath(file, { version: '"one"' }));
  await assert.rejects(install({ retries: 3 }), {
    code: "download-failed",
    message: /ENOSPC/,
    hint: /room.*kept/,
  });
  assert.equal(server.requests.length, 2);
  rmSync(partialPath(file, { version: '"one"' }));
});

test("A file is copied from another path, completely or not at all", async (t) => {
  const { server, folder, file, install, assertInstalled } = await setUp(t);
  const from = folder.write("stick/any-name.gguf", content);
  assert.deepEqual(await install({ from }), { path: file, sizeBytes: content.length, alreadyThere: false });
  assertInstalled();
  assert.equal((await install({ from })).alreadyThere, true);
  const other = folder.write("stick/other.gguf", makeTinyModel({ seed: 2 }));
  assert.equal((await install({ from: other })).alreadyThere, false);
  const cut = folder.write("stick/cut.gguf", content.subarray(0, 5000));
  await assert.rejects(install({ from: cut }), { code: "model-unusable", message: /cut\.gguf/ });
  await assert.rejects(install({ from: folder.at("absent.gguf") }), { code: "model-unusable" });
  assert.deepEqual(server.requests, []);
});

test("A damaged file in place of a model is downloaded again", async (t) => {
  const { folder, file, install, assertInstalled } = await setUp(t);
  folder.write(path.relative(folder.dir, file), content.subarray(0, 5000));
  assert.equal((await install()).alreadyThere, false);
  assertInstalled();
});

test("The user's own model file is never replaced or downloaded", async (t) => {
  const folder = makeTemporaryFolder(t);
  const model = folder.write("mine.gguf", content);
  const from = folder.write("other.gguf", makeTinyModel({ seed: 2 }));
  const modelCacheDir = folder.at("cache");
  assert.equal((await installModel({ model, modelCacheDir })).alreadyThere, true);
  await assert.rejects(installModel({ model, modelCacheDir, from }), {
    code: "model-unusable",
    hint: /modelPath/,
  });
  await assert.rejects(installModel({ model: folder.at("absent.gguf"), modelCacheDir }), {
    code: "model-unusable",
  });
  const { path: placed } = await installModel({ model: folder.at("new/place.gguf"), modelCacheDir, from });
  assert.equal(placed, folder.at("new/place.gguf"));
});

test("Models are listed with their state, including incomplete downloads", async (t) => {
  const { folder, server, file, install } = await setUp(t, { cutAfterBytes: 1000 });
  await assert.rejects(install());
  const ready = folder.write("owner/models/ready.gguf", content);
  const broken = folder.write("owner/models/broken.gguf", "x");
  folder.write("owner/readme.txt", "no model");
  const outside = makeTemporaryFolder(t).write("outside.gguf", content);
  const listed = await listModels(folder.dir, [ready, outside, folder.at("absent.gguf")]);
  const states = listed.map(({ path: listedPath, state }) => [path.basename(listedPath), state]);
  assert.deepEqual(states.sort(), [
    ["broken.gguf", "unusable"],
    ["outside.gguf", "ready"],
    ["ready.gguf", "ready"],
    [path.basename(partialPath(file, { version: '"one"' })), "partial"],
  ]);
  assert.match(listed.find((model) => model.path === broken)?.problem ?? "", /broken\.gguf/);
  assert.deepEqual(await listModels(folder.at("nowhere"), []), []);
  assert.ok(server.requests.length > 0);
});
