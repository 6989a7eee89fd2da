import assert from "node:assert/strict";
import { test } from "node:test";
import { guardRequest } from "./guard.ts";
import { refusalBody } from "./refusals.ts";

const token = "right";
const hosts = ["127.0.0.1:4756", "localhost:4756"];

/** All values of each header; only the first is allowed. */
const choices = {
  host: [
    "127.0.0.1:4756",
    "localhost:4756",
    "evil.example",
    "127.0.0.1:80",
    "127.0.0.1.evil.example:4756",
    undefined,
  ],
  origin: [
    undefined,
    "http://127.0.0.1:4756",
    "http://evil.example",
    "null",
    "https://127.0.0.1:4756",
    "http://localhost:1",
  ],
  "sec-fetch-site": [undefined, "same-origin", "none", "cross-site", "same-site"],
  authorization: [
    "Bearer right",
    undefined,
    "Bearer wrong",
    "Bearer right ",
    "Basic right",
    "Bearer",
    "right",
  ],
  "content-type": ["application/json", "application/json; charset=utf-8", "text/plain", undefined],
};
const allowed = {
  host: [0, 1],
  origin: [0, 1],
  "sec-fetch-site": [0, 1, 2],
  authorization: [0],
  "content-type": [0, 1],
};

test("Of all combinations of Host, Origin, site, token and content type, only the allowed ones pass", () => {
  let passed = 0;
  for (const [h, host] of choices.host.entries())
    for (const [o, origin] of choices.origin.entries())
      for (const [s, site] of choices["sec-fetch-site"].entries())
        for (const [a, authorization] of choices.authorization.entries())
          for (const [c, type] of choices["content-type"].entries()) {
            const headers = Object.fromEntries(
              Object.entries({
                host,
                origin,
                "sec-fetch-site": site,
                authorization,
                "content-type": type,
              }).filter(([, value]) => value !== undefined),
            );
            const expected =
              allowed.host.includes(h) &&
              allowed.origin.includes(o) &&
              allowed["sec-fetch-site"].includes(s) &&
              allowed.authorization.includes(a) &&
              allowed["content-type"].includes(c);
            const refusal = guardRequest({ method: "POST", headers }, { token, hosts });
            assert.equal(refusal === null, expected, JSON.stringify(headers));
            if (refusal === null) passed++;
            else assert.ok(!refusalBody(refusal).includes(token));
          }
  assert.equal(passed, 2 * 2 * 3 * 1 * 2);
});

test("A request without a body needs no content type", () => {
  const headers = { host: hosts[0], authorization: "Bearer right" };
  for (const method of ["GET", "HEAD", "DELETE"])
    assert.equal(guardRequest({ method, headers }, { token, hosts }), null);
});

test("A cookie admits reads, and changes only from our own page", () => {
  const hasSession = ({ cookie }: { cookie?: string | undefined }) => cookie === "good";
  const [host = ""] = hosts;
  const codeOf = (method: string, more: Record<string, string>) =>
    guardRequest(
      { method, headers: { host, "content-type": "application/json", ...more } },
      { token, hosts, hasSession },
    ) ?? null;
  const own = `http://${host}`;
  for (const method of ["GET", "HEAD"]) {
    assert.equal(codeOf(method, { cookie: "good" }), null);
    assert.equal(codeOf(method, { cookie: "good", "sec-fetch-site": "none" }), null);
    assert.equal(codeOf(method, { cookie: "good", "sec-fetch-site": "same-site" }), "other-site");
    assert.equal(codeOf(method, { cookie: "bad" }), "unauthorized");
    assert.equal(codeOf(method, { cookie: "good", authorization: "Bearer wrong" }), "unauthorized");
  }
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    assert.equal(codeOf(method, { cookie: "good" }), "origin-unknown");
    assert.equal(codeOf(method, { cookie: "good", "sec-fetch-site": "none" }), "origin-unknown");
    // To a browser, the same server under another name is another origin.
    assert.equal(codeOf(method, { cookie: "good", origin: "http://localhost:4756" }), "origin-unknown");
    assert.equal(codeOf(method, { cookie: "good", origin: own }), null);
    assert.equal(codeOf(method, { cookie: "good", "sec-fetch-site": "same-origin" }), null);
    assert.equal(codeOf(method, { cookie: "bad", origin: own }), "unauthorized");
    assert.equal(codeOf(method, { authorization: "Bearer right" }), null);
  }
  assert.equal(codeOf("POST", { cookie: "good", origin: own, "content-type": "text/plain" }), "not-json");
});
