import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { findResidentSocket, residentSocketIn } from "./resident-socket.ts";

const skip = process.platform === "win32" && "Windows has none";

/** A home folder with a socket for each of these state folders. */
async function openSockets(t: TestContext, ...stateDirs: string[]) {
  const home = makeTemporaryFolder(t);
  const sockets: Record<string, string> = {};
  for (const stateDir of stateDirs) {
    const { folder, socket } = residentSocketIn(home.at(stateDir));
    chmodSync(home.makeFolder(path.relative(home.dir, folder)), 0o700);
    const server = createServer().listen(socket);
    t.after(() => server.close());
    await once(server, "listening");
    sockets[stateDir] = socket;
  }
  return { home, sockets };
}

test("the socket is in the state folder that the command line or the environment names", {
  skip,
}, async (t) => {
  const { home, sockets } = await openSockets(t, ".longhand", "a", "b");
  const env = { HOME: home.dir };
  const find = (argv: string[], more = {}) => findResidentSocket(argv, { ...env, ...more }, []);
  assert.equal(find(["search", "x"]), sockets[".longhand"]);
  assert.equal(find(["search", "x", "--state-dir", home.at("a")]), sockets["a"]);
  assert.equal(find(["search", "x", `--state-dir=${home.at("a")}`]), sockets["a"]);
  assert.equal(find(["search", "x", "--state-dir", "~/a", "--state-dir", "~/b"]), sockets["b"]);
  assert.equal(find(["search"], { LONGHAND_STATE_DIR: "~/a" }), sockets["a"]);
  assert.equal(find(["search"], { LONGHAND_STATE_DIR: "" }), sockets[".longhand"]);
  assert.equal(find(["search", "--state-dir", "~/b"], { LONGHAND_STATE_DIR: "~/a" }), sockets["b"]);
  assert.equal(find(["search", "--state-dir", "~/missing"]), null);
  assert.equal(find(["search", "--state-dir"]), sockets[".longhand"]);
});

test("no socket is looked for if the user says so, or a new process would do something else", {
  skip,
}, async (t) => {
  const { home } = await openSockets(t, ".longhand");
  const env = { HOME: home.dir };
  assert.notEqual(findResidentSocket(["search"], env, []), null);
  assert.equal(findResidentSocket(["search"], { ...env, LONGHAND_RESIDENT: "0" }, []), null);
  assert.equal(findResidentSocket(["search"], { ...env, FORCE_COLOR: "" }, []), null);
  assert.equal(findResidentSocket(["search"], env, ["--max-old-space-size=100"]), null);
  assert.equal(findResidentSocket(["search"], {}, []), null);
});

test("a file, or a socket in a folder that others can open, is not used", { skip }, async (t) => {
  const { home } = await openSockets(t, "open");
  const find = (stateDir: string) =>
    findResidentSocket(["search", "--state-dir", home.at(stateDir)], { HOME: home.dir }, []);
  assert.notEqual(find("open"), null);
  chmodSync(residentSocketIn(home.at("open")).folder, 0o750);
  assert.equal(find("open"), null);
  const { folder, socket } = residentSocketIn(home.at("file"));
  chmodSync(home.makeFolder(path.relative(home.dir, folder)), 0o700);
  writeFileSync(socket, "");
  assert.equal(find("file"), null);
});
