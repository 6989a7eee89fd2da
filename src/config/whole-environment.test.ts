import assert from "node:assert/strict";
import { test } from "node:test";
import { copyEnvironment, replaceEnvironment, startingEnvironment } from "./whole-environment.ts";

test("a process can take over the environment of another, with its time zone, and get its own back", (t) => {
  const own = copyEnvironment();
  t.after(() => replaceEnvironment(own));
  const hours = (TZ?: string) => {
    replaceEnvironment({ SOME_NAME: "some value", ...(TZ !== undefined && { TZ }) });
    return new Date(Date.UTC(2026, 10, 19)).getHours();
  };
  assert.equal(hours("Asia/Tokyo"), 9);
  assert.deepEqual(copyEnvironment(), { SOME_NAME: "some value", TZ: "Asia/Tokyo" });
  assert.equal(hours("UTC"), 0);
  hours();
  assert.deepEqual(copyEnvironment(), { SOME_NAME: "some value" });
  replaceEnvironment(own);
  assert.deepEqual(copyEnvironment(), own);
});

test("environments are equal if only variables differ that are read when they are needed", () => {
  const base = { PATH: "/bin", HOME: "/home/a", LANG: "de_DE.UTF-8" };
  const same = (env: object) => startingEnvironment({ ...base, ...env }) === startingEnvironment(base);
  for (const name of [
    "OPENAI_API_KEY",
    "LONGHAND_AGENT",
    "TERM",
    "PWD",
    "NO_COLOR",
    "PATH",
    "LANG",
    "LC_ALL",
  ])
    assert.ok(same({ [name]: "other" }), name);
  for (const name of ["HOME", "TZ", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "LD_PRELOAD"])
    assert.ok(!same({ [name]: "other" }), name);
  for (const name of [
    "https_proxy",
    "HTTP_PROXY",
    "NO_PROXY",
    "PGHOST",
    "AWS_PROFILE",
    "SSL_CERT_FILE",
    "USER",
  ])
    assert.ok(!same({ [name]: "other" }), name);
  assert.equal(startingEnvironment({ HOME: "a", PATH: "b" }), startingEnvironment({ PATH: "b", HOME: "a" }));
});
