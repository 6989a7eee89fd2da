import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment } from "./child-environment.ts";

test("Places and hardware are passed on, and nothing else", () => {
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
