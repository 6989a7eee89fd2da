import assert from "node:assert/strict";
import { test } from "node:test";
import { skipOnWindows } from "../../test/support/platform.ts";
import { lanceAccess } from "./lance-access.ts";
import { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

const env = { HOME: "/home/ann", AWS_REGION: "eu-west-1", AWS_SECRET_ACCESS_KEY: "s3cret", AWS_PROFILE: "x" };

function accessOf(url: string | undefined) {
  const store = {
    path: "/state/memory/main.longhand.sqlite",
    ...(url === undefined ? {} : { url: new Secret(url) }),
  };
  const settings = { memorySearch: { store }, agentId: "main", stateDir: "/state" };
  return lanceAccess(settings as unknown as Settings, env);
}

test("Without an address, the folder is where the SQLite file would be", () => {
  assert.deepEqual(accessOf(undefined), {
    location: "/state/memory/main.longhand.lance",
    storageOptions: {},
  });
});

test("A folder may begin with ~ or <state> and contain {agentId}, and needs no environment variables", {
  skip: skipOnWindows("its paths are those of POSIX"),
}, () => {
  assert.deepEqual(accessOf("~/lance/{agentId}"), { location: "/home/ann/lance/main", storageOptions: {} });
  assert.equal(accessOf("<state>/lance").location, "/state/lance");
});

test("Remote storage gets its own environment variables, and nothing else", () => {
  assert.deepEqual(accessOf("s3://bucket/{agentId}?region=x"), {
    location: "s3://bucket/main?region=x",
    storageOptions: { aws_region: "eu-west-1", aws_secret_access_key: "s3cret" },
  });
});
