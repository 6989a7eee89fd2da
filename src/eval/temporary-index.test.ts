import assert from "node:assert/strict";
import { devNull } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { resolveSettings } from "../config/settings.ts";
import { settingsFor } from "./temporary-index.ts";

test("Ranking settings stay, and the user's own notes and index are left out", async () => {
  const settings = await resolveSettings({
    config: devNull,
    env: {},
    workspace: "/home/me/notes",
    stateDir: "/home/me/state",
    overrides: {
      memory: { backend: "qmd" },
      agents: {
        defaults: {
          memorySearch: {
            extraPaths: ["/home/me/more"],
            exclude: ["drafts/"],
            chunking: { tokens: 123, overlap: 7 },
            query: { minScore: 0.2, hybrid: { mmr: { enabled: true } } },
            remote: { apiKey: "k" },
            store: { driver: "postgres", url: "postgres://db/mine?sslmode=verify-full" },
          },
        },
      },
    },
  });
  const place = { workspaceDir: "/sets/a", extraPaths: ["/sets/a"], exclude: [], stateDir: "/tmp/x" };
  const { memorySearch, memory, workspaceDir, stateDir, agentId } = settingsFor(settings, place);
  assert.deepEqual([workspaceDir, stateDir, memory.backend], ["/sets/a", "/tmp/x", "builtin"]);
  assert.deepEqual([memorySearch.extraPaths, memorySearch.exclude], [["/sets/a"], []]);
  assert.deepEqual(memorySearch.chunking, { tokens: 123, overlap: 7 });
  assert.deepEqual(memorySearch.query, settings.memorySearch.query);
  assert.equal(memorySearch.remote.apiKey, settings.memorySearch.remote.apiKey);
  const { driver, path, url } = memorySearch.store;
  assert.deepEqual(
    [driver, path, url?.reveal()],
    ["postgres", join("/tmp/x", "index.sqlite"), "postgres://db/mine?sslmode=verify-full"],
  );
  assert.equal(agentId, "x", "rows of the user's own agents are left alone");
  assert.equal(memorySearch.sync.onSearch, false, "looking for changes is not measured");
});
