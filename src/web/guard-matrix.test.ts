import assert from "node:assert/strict";
import { test } from "node:test";
import { openWebFixture, type WebAnswer } from "../../test/support/web-fixture.ts";
import { apiRoutes } from "./api-routes.ts";

const secret = "kingfisher";

/** Every route of the server. Input that no route accepts makes an admitted API request fail with 400. */
const routes = [
  ...apiRoutes.map(({ method, path }) => ({ method, path, letIn: 400 })),
  { method: "GET", path: "/", letIn: 200 },
  { method: "GET", path: "/notes/MEMORY.md", letIn: 200 },
  { method: "GET", path: "/assets/page-1a2b.js", letIn: 200 },
  { method: "GET", path: "/api/nothing-here", letIn: 404 },
  { method: "POST", path: "/mcp", letIn: 400 },
  { method: "GET", path: "/mcp/other", letIn: 404 },
];

const sites = [undefined, "same-origin", "none", "cross-site", "same-site"];

test("Every route admits only requests with our own address, page and credentials", async (t) => {
  const fixture = await openWebFixture(t, { notes: { "MEMORY.md": `The word is ${secret}.\n` } });
  fixture.folder.write("page/index.html", "<title>page</title>");
  fixture.folder.write("page/assets/page-1a2b.js", "page();");
  const port = new URL(fixture.server.url).port;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, "evil.example", `127.0.0.1.evil.example:${port}`];
  const origins = [
    undefined,
    `http://127.0.0.1:${port}`,
    "http://evil.example",
    "http://127.0.0.1:1",
    "null",
  ];
  const cookie = await fixture.enter();
  const credentials: readonly Readonly<Record<string, string>>[] = [
    {},
    { authorization: `Bearer ${fixture.token}` },
    { authorization: `Bearer ${fixture.token}x` },
    { cookie },
    { cookie: `theme=dark; ${cookie}` },
    { cookie: `${cookie}x` },
    { cookie: `longhand_1=${cookie.split("=")[1]}` },
    { authorization: "Bearer wrong", cookie },
  ];
  let requests = 0;
  let letIn = 0;
  for (const route of routes) {
    await t.test(`${route.method} ${route.path}`, async () => {
      const path = route.method === "GET" ? `${route.path}?not-a-field=1` : route.path;
      const isReading = route.method === "GET";
      const tries = hosts.flatMap((host) =>
        origins.flatMap((origin) =>
          sites.flatMap((site) => credentials.map((given) => ({ host, origin, site, given }))),
        ),
      );
      // Each route is tried with one deviation of each kind and with every header that reveals a foreign origin; two
      // routes are tried with all combinations.
      const isFull = route.path === "/api/search" || route.path === "/api/notes/source";
      const wanted = tries.filter(
        ({ host, origin, given }) =>
          isFull ||
          (host === hosts[0] && (origin === undefined || given["cookie"] === cookie)) ||
          (origin === undefined && given["authorization"] === `Bearer ${fixture.token}`),
      );
      for (const { host, origin, site, given } of wanted) {
        const isOwnHost = host === hosts[0] || host === hosts[1];
        const isOwnPage = origin === undefined || origin === origins[1];
        const isOwnSite = site === undefined || site === "same-origin" || site === "none";
        const hasToken = given["authorization"] === `Bearer ${fixture.token}`;
        const hasCookie = given["cookie"]?.includes(cookie) && !given["cookie"].endsWith("x");
        const byCookie = !hasToken && hasCookie && given["authorization"] === undefined;
        const provesOwnPage = site === "same-origin" || (origin === origins[1] && host === hosts[0]);
        const isKnown = hasToken || (byCookie && !route.path.startsWith("/mcp"));
        const expected = !(isOwnHost && isOwnPage && isOwnSite)
          ? 403
          : !isKnown
            ? 401
            : byCookie && !isReading && !provesOwnPage
              ? 403
              : route.letIn;
        const answer = await fixture.call(path, {
          method: route.method,
          headers: { ...given, host, origin, "sec-fetch-site": site },
          ...(isReading ? {} : { body: { "not-a-field": 1 } }),
        });
        requests++;
        if (expected === route.letIn) letIn++;
        assert.equal(answer.status, expected, JSON.stringify({ host, origin, site, given }));
        assertSafe(answer);
      }
    });
  }
  t.diagnostic(`${requests} requests, ${letIn} let in`);
  assert.ok(letIn > routes.length * 5 && letIn < requests / 2);
  // MCP reports that the body is not a message of its protocol; nothing else may be reported.
  assert.deepEqual(
    fixture.problems.filter((problem) => !problem.includes("JSON-RPC")),
    [],
  );
});

/** Whatever the response is, other origins cannot read it. */
function assertSafe({ headers, text }: WebAnswer): void {
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.match(
    headers["content-security-policy"] as string,
    /^default-src 'none'; .*frame-ancestors 'none'$/,
  );
  for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^access-control/);
  assert.ok(!text.includes(secret), text);
}
