import assert from "node:assert/strict";
import { test } from "node:test";
import type { PartialConfig } from "./options.ts";
import { providerKey, type RemoteProvider } from "./provider-access.ts";
import { resolveSettings } from "./settings.ts";

type MemorySearch = NonNullable<
  NonNullable<NonNullable<PartialConfig["agents"]>["defaults"]>["memorySearch"]
>;

async function keyFor(
  provider: RemoteProvider,
  from: { search?: MemorySearch; models?: PartialConfig["models"]; env?: Record<string, string> },
): Promise<string | null> {
  const { search = {}, models = {}, env = {} } = from;
  const overrides = { agents: { defaults: { memorySearch: search } }, models };
  const settings = await resolveSettings({
    cwd: "/",
    stateDir: "/nowhere",
    overrides,
    env: { HOME: "/nowhere", ...env },
  });
  return providerKey(settings, provider)?.reveal() ?? null;
}

const remote = { apiKey: "remote" };
const models = { providers: { openai: { apiKey: "models" } } };
const env = { OPENAI_API_KEY: "env", GOOGLE_API_KEY: "google", VOYAGE_API_KEY: "voyage" };

test("remote.apiKey comes first, then models.providers, then the environment", async () => {
  assert.equal(await keyFor("openai", { search: { provider: "openai", remote }, models, env }), "remote");
  assert.equal(await keyFor("openai", { search: { provider: "openai" }, models, env }), "models");
  assert.equal(await keyFor("openai", { env }), "env");
  assert.equal(await keyFor("openai", {}), null);
});

test("remote.apiKey is for the chosen provider alone", async () => {
  const search: MemorySearch = { provider: "voyage", remote };
  assert.equal(await keyFor("voyage", { search, env }), "remote");
  assert.equal(await keyFor("openai", { search, env }), "env");
  assert.equal(await keyFor("openai", { search }), null);
});

test("with provider auto, remote.apiKey is for openai", async () => {
  const search: MemorySearch = { provider: "auto", remote };
  assert.equal(await keyFor("openai", { search }), "remote");
  assert.equal(await keyFor("gemini", { search }), null);
});

test("of the two variables for gemini, GEMINI_API_KEY comes first", async () => {
  assert.equal(await keyFor("gemini", { env }), "google");
  assert.equal(await keyFor("gemini", { env: { ...env, GEMINI_API_KEY: "gemini" } }), "gemini");
  assert.equal(
    await keyFor("gemini", { env, models: { providers: { google: { apiKey: "models" } } } }),
    "models",
  );
});
