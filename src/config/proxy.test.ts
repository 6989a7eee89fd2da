import assert from "node:assert/strict";
import { test } from "node:test";
import { findProxy } from "./proxy.ts";

test("a proxy is named by the usual variables, in either case", () => {
  assert.equal(findProxy({}), null);
  assert.equal(findProxy({ HTTPS_PROXY: " ", NO_PROXY: "example.org" }), null);
  assert.deepEqual(findProxy({ https_proxy: "http://p:1", HTTPS_PROXY: "http://q:2", NO_PROXY: "a.org" }), {
    variables: ["https_proxy"],
    environment: { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.org,localhost,127.0.0.1,[::1]" },
    isUsedByNode: false,
  });
  const both = findProxy({ HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://q:2", NODE_USE_ENV_PROXY: "1" });
  assert.deepEqual([both?.variables, both?.isUsedByNode], [["HTTP_PROXY", "HTTPS_PROXY"], true]);
});
