import assert from "node:assert/strict";
import { test } from "node:test";
import type { PartialConfig } from "./options.ts";
import { providerAccess, type RemoteProvider } from "./provider-access.ts";
import { resolveSettings } from "./settings.ts";

type MemorySearch = NonNullable<
  NonNullable<NonNullable<PartialConfig["agents"]>["defaults"]>["memorySearch"]
>;

async function accessOf(provider: RemoteProvider, memorySearch: MemorySearch) {
  const models = {
    providers: {
      openai: { baseUrl: "https://one.example/v1", headers: { a: "1", b: "2" } },
      google: { apiKey: "google-key" },
    },
  };
  const overrides = { agents: { defaults: { memorySearch } }, models };
  const settings = await resolveSettings({
    cwd: "/",
    stateDir: "/nowhere",
    overrides,
    env: { HOME: "/nowhere" },
  });
  const { apiKey, headers, ...rest } = providerAccess(settings, provider);
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
  return { ...rest, key: apiKey?.reveal(), headers: shown };
}

const remote = { baseUrl: "https://two.example/v1", apiKey: "remote-key", headers: { b: "3" } };

test("Settings of the chosen provider override those of its company", async () => {
  const access = await accessOf("openai", {
    provider: "openai",
    model: "m",
    outputDimensionality: 9,
    remote,
  });
  assert.deepEqual(access, {
    key: "remote-key",
    baseUrl: "https://two.example/v1",
    headers: { a: "1", b: "3" },
    model: "m",
    outputDimensionality: 9,
  });
});

test("Another provider gets none of them", async () => {
  const access = await accessOf("gemini", {
    provider: "openai",
    model: "m",
    outputDimensionality: 9,
    remote,
  });
  assert.deepEqual(access, { key: "google-key", headers: {} });
});

test("With auto, the address and the key apply to openai, and the model to the provider that is chosen", async () => {
  const search: MemorySearch = { provider: "auto", model: "m", remote };
  assert.equal((await accessOf("openai", search)).baseUrl, "https://two.example/v1");
  assert.deepEqual(await accessOf("gemini", search), { key: "google-key", headers: {}, model: "m" });
});
