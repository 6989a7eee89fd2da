import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment, qmdEnvironment } from "./child-environment.ts";

test("Only variables about paths and hardware are passed on", () => {
  const passed = {
    PATH: "/bin",
    HOME: "/home/me",
    CUDA_VISIBLE_DEVICES: "0",
    NODE_LLAMA_CPP_GPU: "false",
    Path: "x",
  };
  const kept = {
    OPENAI_API_KEY: "canary",
    GEMINI_API_KEY: "canary",
    AWS_SECRET_ACCESS_KEY: "canary",
    HF_TOKEN: "canary",
    DATABASE_URL: "canary",
    NODE_OPTIONS: "--require canary",
    LD_PRELOAD: "canary",
    CUDA_API_KEY: "canary",
    MY_PATH: "canary",
    EMPTY: undefined,
  };
  assert.deepEqual(childEnvironment({ ...kept, ...passed }), passed);
});

test("qmd also gets the variables of its models and hardware, but no keys", () => {
  const passed = { PATH: "/bin", XDG_CACHE_HOME: "/cache", QMD_EMBED_MODEL: "/m.gguf", QMD_FORCE_CPU: "1" };
  const kept = {
    OPENAI_API_KEY: "canary",
    QMD_API_KEY: "canary",
    QMD_CONFIG_DIR: "/somebody/else",
    INDEX_PATH: "/somebody/else",
    QMD_TRUST_UPDATE_HOOKS: "1",
  };
  assert.deepEqual(qmdEnvironment({ ...kept, ...passed }), passed);
});
