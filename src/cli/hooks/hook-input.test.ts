import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { CommandContext } from "../command.ts";
import { readHookInput } from "./hook-input.ts";

async function read(fields: object, { start = "", platform = process.platform } = {}) {
  const input = Readable.from([Buffer.from(start + JSON.stringify(fields))]) as CommandContext["input"];
  const { text: _, ...rest } = await readHookInput({ input, signal: new AbortController().signal }, platform);
  return rest;
}

test("hosts that run the hooks of Claude Code may use other field names", async () => {
  const expected = { sessionId: "s1", cwd: "/project", eventName: "SessionStart", source: "startup" };
  const common = { hook_event_name: "SessionStart", source: "startup" };
  assert.deepEqual(await read({ ...common, session_id: "s1", cwd: "/project" }), expected);
  // VS Code
  const { hook_event_name: hookEventName, ...rest } = common;
  assert.deepEqual(await read({ ...rest, hookEventName, sessionId: "s1", cwd: "/project" }), expected);
  // Cursor
  const cursor = { ...common, conversation_id: "s1", workspace_roots: ["/project", "/other"] };
  assert.deepEqual(await read(cursor), expected);
});

test("fields of another type, and empty ones, count as missing", async () => {
  assert.deepEqual(await read({ session_id: 5, sessionId: "", cwd: null, workspace_roots: [7] }), {});
  assert.deepEqual(await read({ session_id: "", sessionId: "s2", workspace_roots: "/project" }), {
    sessionId: "s2",
  });
});

test("a byte order mark, which Windows PowerShell may write, is removed", async () => {
  assert.deepEqual(await read({ prompt: "when do we ship?" }, { start: "\ufeff" }), {
    prompt: "when do we ship?",
  });
});

test("on Windows Cursor names drives as file URLs do", async () => {
  const roots = { workspace_roots: ["/c:/my project"] };
  assert.deepEqual(await read(roots, { platform: "win32" }), { cwd: "c:/my project" });
  assert.deepEqual(await read(roots, { platform: "darwin" }), { cwd: "/c:/my project" });
  const plain = { cwd: "C:\\my project", transcript_path: "\\\\nas\\log.jsonl" };
  assert.deepEqual(await read(plain, { platform: "win32" }), {
    cwd: "C:\\my project",
    transcriptPath: "\\\\nas\\log.jsonl",
  });
});
