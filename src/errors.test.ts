import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { test } from "node:test";
import { systemErrorCode, unlessRefused } from "./errors.ts";

test("Only what the system refused has a system code", () => {
  const codeOf = (fields: object) => systemErrorCode(Object.assign(new Error("x"), fields));
  assert.equal(codeOf({ code: "ENOENT" }), "ENOENT");
  assert.equal(codeOf({ code: "E2BIG" }), "E2BIG");
  assert.equal(codeOf({ code: "ERR_INVALID_ARG_TYPE" }), undefined);
  assert.equal(codeOf({ code: 2 }), undefined);
  // What Node says on Windows when OneDrive cannot download a file; the number means nothing elsewhere.
  assert.equal(codeOf({ code: "UNKNOWN", errno: -4094, syscall: "read" }), "UNKNOWN");
  assert.equal(codeOf({ code: "UNKNOWN" }), undefined);
  // As on Windows without a user folder; the number means nothing elsewhere.
  assert.equal(codeOf({ code: "ERR_SYSTEM_ERROR", errno: -4058, info: { code: "ENOENT" } }), "ENOENT");
  const { EDQUOT } = constants.errno;
  if (EDQUOT !== undefined) assert.equal(codeOf({ code: "Unknown system error", errno: -EDQUOT }), "EDQUOT");
  for (const other of [null, undefined, "ENOENT"]) assert.equal(systemErrorCode(other), undefined);
});

test("A failed system call gives the other result, and any other error is thrown", () => {
  assert.equal(
    unlessRefused(() => "read", assert.fail),
    "read",
  );
  const missing = () => readFileSync(`${import.meta.filename}.missing`, "utf8");
  assert.equal(
    unlessRefused(missing, () => "other"),
    "other",
  );
  const fault = new TypeError("a fault");
  const fail = () => {
    throw fault;
  };
  assert.throws(() => unlessRefused(fail, assert.fail), fault);
});

test("On a Node that is too old, the first module of the library says so", async () => {
  const descriptor = Object.getOwnPropertyDescriptor(Map, "groupBy")!;
  const again = new URL("errors.ts?old", import.meta.url).href;
  Reflect.deleteProperty(Map, "groupBy");
  try {
    await assert.rejects(import(again), /^Error: This Node is too old\.$/);
  } finally {
    Object.defineProperty(Map, "groupBy", descriptor);
  }
});
