import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { connectHosts } from "./connect-host.ts";
import type { HostSetup } from "./host.ts";

test("settings that the host saved after they were read are not overwritten", (t) => {
  const folder = makeTemporaryFolder(t, { "settings.json": "{}\n" });
  const path = folder.at("settings.json");
  const setup = {
    name: "claude-code",
    steps: [],
    parts: [
      {
        path,
        purpose: "MCP server",
        snippet: "",
        add: () => {
          writeFileSync(path, '{"by":"host"}\n');
          return '{"by":"longhand"}\n';
        },
      },
    ],
  } as unknown as HostSetup;
  assert.throws(() => connectHosts([setup]), {
    code: "host-config-unusable",
    message: /changed it meanwhile/,
  });
  assert.equal(readFileSync(path, "utf8"), '{"by":"host"}\n');
  assert.deepEqual(readdirSync(folder.dir), ["settings.json"]);
});
