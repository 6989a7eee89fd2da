import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { openEmbeddingServer } from "../support/embedding-server.ts";
import { isWindows } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

/** A proxy that tunnels every connection to one port of this machine, and records the requested hosts. */
async function openProxy(t: TestContext, port: number) {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", ({ url }, socket) => {
    asked.push(url ?? "");
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const each of [socket, target]) each.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("embedding services are reached through the proxy of the environment, this machine directly", async (t) => {
  const service = await openEmbeddingServer();
  t.after(() => service[Symbol.asyncDispose]());
  const proxy = await openProxy(t, Number(new URL(service.origin).port));
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "We ship on Fridays.\n");
  const index = async (origin: string) => {
    const memorySearch = {
      provider: "openai",
      model: "model-a",
      remote: {
        baseUrl: service.baseUrl("openai").replace(service.origin, origin),
        apiKey: "k-1234567890",
        allowPlainHttp: true,
      },
    };
    const config = fixture.write("config.json5", JSON.stringify({ agents: { defaults: { memorySearch } } }));
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    return await fixture.runWith({ env }, "index", "--force", "--config", config);
  };
  const far = await index("http://embeddings.test");
  assert.equal(far.code, 0, far.stderr);
  assert.ok(service.requests.length > 0, far.stderr);
  assert.deepEqual([...new Set(proxy.asked)], ["embeddings.test:80"]);

  service.requests.length = 0;
  proxy.asked.length = 0;
  const near = await index(service.origin);
  assert.equal(near.code, 0, near.stderr);
  assert.deepEqual(proxy.asked, []);

  const env = { HTTPS_PROXY: proxy.url };
  const { stdout } = await fixture.runWith({ env }, "doctor", "--json");
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  // On Windows, names of variables are case-insensitive.
  const name = isWindows ? "https_proxy" : "HTTPS_PROXY";
  assert.deepEqual(
    checks.filter((check) => check.name === "proxy").map(({ ok, detail }) => [ok, detail]),
    [[true, `${name}: embedding services and downloads are reached through it`]],
  );
});
