import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { finish } from "../support/child-process.ts";
import { isWindows, skipOnWindows } from "../support/platform.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

interface Started {
  readonly url: string;
  readonly link: string;
  readonly tokenFile: string;
  readonly warning?: string;
}

async function start(fixture: CliFixture, ...argv: string[]) {
  const child = fixture.start({ keepInputOpen: true }, "serve", "--port", "0", "--json", ...argv);
  const [line] = await once(child.stdout!, "data");
  return { child, ...(JSON.parse(String(line)) as Started) };
}

test("serve prints a link that opens the page, and answers programs and agents", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n\nThe launch code word is kingfisher.\n");
  const { url, link, tokenFile, warning } = await start(fixture);
  assert.equal(warning, undefined);
  assert.ok(link.startsWith(`${url}/?once=`));
  const token = readFileSync(tokenFile, "utf8").trim();
  assert.ok(!link.includes(token));

  const entered = await fetch(link, { redirect: "manual" });
  assert.equal(entered.status, 303);
  const cookie = entered.headers.getSetCookie()[0]!.split(";")[0]!;
  // Like any program, Node's client sends `sec-fetch-mode` but no `sec-fetch-site`.
  assert.equal((await fetch(`${url}/`, { headers: { cookie } })).status, 200);
  const headers = { authorization: `Bearer ${token}` };
  const found = await (await fetch(`${url}/api/search?query=kingfisher`, { headers })).json();
  assert.equal((found as { results: { path: string }[] }).results[0]!.path, "MEMORY.md");

  const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const tools = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(call),
  });
  const listed = await tools.text();
  assert.match(listed, /memory_search/);
  assert.doesNotMatch(listed, /memory_add/, "agents write only where that was asked for");
});

test("serve exits on a signal while a client is connected", {
  skip: skipOnWindows("a process cannot send signals there, only a console can"),
}, async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "Facts.\n");
  const { child, url, tokenFile } = await start(fixture);
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
  const listening = await fetch(`${url}/api/events`, { headers });
  child.kill("SIGTERM");
  await listening.text().catch(() => "");
  const { code, stderr } = await finish(child);
  assert.equal(code, 143);
  assert.equal(stderr, "");
});

test("serve warns if other machines can connect", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "Facts.\n");
  const { child, link, warning } = await start(fixture, "--host", "0.0.0.0", "--read-only");
  assert.match(warning ?? "", /other machines/);
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/\?once=/);
  child.kill("SIGINT");
  assert.equal((await finish(child)).code, isWindows ? null : 130);
});

test("serve reports that memory is disabled, and which port is in use", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "Facts.\n");
  const { url } = await start(fixture);
  const taken = await fixture.json("serve", "--port", new URL(url).port);
  assert.equal(taken.code, 1);
  assert.match(JSON.stringify(taken.value), /address-unusable.*EADDRINUSE/);
  const config = fixture.write("off.json5", '{ plugins: { slots: { memory: "none" } } }');
  const disabled = await fixture.json("serve", "--config", config);
  assert.deepEqual([disabled.code, disabled.value], [0, { disabled: true }]);
});
