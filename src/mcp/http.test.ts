import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { withMemorySearch } from "../../test/support/memory-fixture.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { resolveSettings } from "../config/settings.ts";
import type { Memory } from "../memory/memory.ts";
import { openConfiguredMemory } from "../memory/open-memory.ts";
import { override } from "../text/override.ts";
import { serveMcpOverHttp } from "./http.ts";

test("a server that cannot listen does not go on watching the notes", async (t) => {
  const folder = makeTemporaryFolder(t);
  const settings = await resolveSettings({
    workspace: folder.makeFolder("notes"),
    stateDir: folder.at("state"),
    overrides: withMemorySearch({}),
  });
  await using memory = await openConfiguredMemory(settings);
  const blocking = createServer().listen(0, "127.0.0.1");
  await once(blocking, "listening");
  t.after(() => blocking.close());

  let running = 0;
  const started: Promise<unknown>[] = [];
  const watch: Memory["watch"] = async (options) => {
    running++;
    const watching = memory.watch(options);
    started.push(watching);
    const opened = await watching;
    return override(opened, {
      async [Symbol.asyncDispose]() {
        running--;
        await opened[Symbol.asyncDispose]();
      },
    });
  };
  const serving = serveMcpOverHttp({
    memory: override(memory, { watch }),
    version: "0",
    now: () => new Date(),
    onProblem: () => {},
    port: (blocking.address() as AddressInfo).port,
    host: "127.0.0.1",
    tokenPathOf: () => folder.at("state/http-token"),
    otherAgents: [],
    openAgent: () => Promise.reject(new TypeError("There is no other agent.")),
  });
  await assert.rejects(serving, { code: "address-unusable" });
  await Promise.all(started);
  assert.deepEqual([started.length, running], [1, 0]);
});
