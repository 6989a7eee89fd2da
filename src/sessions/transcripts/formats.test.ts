import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { jsonLines, openclaw } from "../../../test/support/transcript-lines.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { readTranscript } from "./read-transcript.ts";
import { emptyState, type TranscriptState } from "./transcript-state.ts";

interface ReadAll {
  readonly state: TranscriptState;
  /** The turns, each preceded by its line or number in the original. */
  readonly said: readonly string[];
}

async function readAll(t: TestContext, text: string | Uint8Array): Promise<ReadAll> {
  const path = makeTemporaryFolder(t).write("transcript", text);
  using file = openTranscriptFile(path, { shown: "transcript" });
  let state = emptyState("test", { device: "1", inode: "1", scope: "private" });
  const said: string[] = [];
  for (let isLast = false; !isLast; ) {
    const part = await readTranscript(file!, state, { literals: [], shown: "transcript" });
    for (const [index, line] of part.lines.entries()) {
      if (line !== "") said.push(`${part.firstLine + index} ${line}`);
    }
    ({ state, isLast } = part);
  }
  return { state, said };
}

const dayOf = ({ startedAt }: TranscriptState) =>
  startedAt === null ? null : new Date(startedAt).toISOString();

suite("OpenClaw", () => {
  test("messages of people and the assistant are read; tools, thoughts and settings are not", async (t) => {
    const { state, said } = await readAll(
      t,
      jsonLines(
        openclaw.head(),
        { type: "model_change", id: "a", timestamp: "2026-03-01T10:00:01Z", modelId: "m" },
        openclaw.message("user", "When do\n\n  we ship?"),
        openclaw.message("assistant", [
          { type: "thinking", thinking: "They ask for a date." },
          { type: "text", text: "On Friday." },
          { type: "toolCall", id: "c", name: "exec", arguments: { command: "date" } },
          { type: "text", text: "At noon." },
        ]),
        openclaw.message("toolResult", [{ type: "text", text: "Thu Mar 1" }]),
        { type: "compaction", id: "c", timestamp: "2026-03-01T11:00:00Z", summary: "They agreed on Friday." },
        { type: "custom", customType: "x", data: {} },
      ),
    );
    assert.deepEqual(said, [
      "3 User: When do we ship?",
      "4 Assistant: On Friday. At noon.",
      "6 Summary: They agreed on Friday.",
    ]);
    assert.equal(state.format, "openclaw");
    assert.equal(dayOf(state), "2026-03-01T10:00:00.000Z");
    assert.deepEqual([state.line, state.turns, state.malformed], [7, 3, 0]);
  });

  test("scheduled turns are left out with their answers, by their metadata and not by their text", async (t) => {
    const { said } = await readAll(
      t,
      jsonLines(
        openclaw.head(),
        openclaw.message("user", "Read HEARTBEAT.md", { trigger: "heartbeat" }),
        openclaw.message("assistant", "HEARTBEAT_OK"),
        openclaw.message("user", "Our heartbeat monitor is called Puls."),
        openclaw.message("assistant", "Noted."),
        {
          ...openclaw.message("user", "x"),
          message: { role: "user", content: "daily report", provenance: { kind: "cron" } },
        },
        openclaw.message("toolResult", "ran"),
        openclaw.message("assistant", "Report sent."),
        openclaw.message("user", "Thanks."),
      ),
    );
    assert.deepEqual(said, [
      "4 User: Our heartbeat monitor is called Puls.",
      "5 Assistant: Noted.",
      "9 User: Thanks.",
    ]);
  });

  const fenced = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const envelopes: Readonly<Record<string, string>> = {
    "a channel, as versions of 2026.2 to 2026.7 wrote it": [
      "Conversation info (untrusted metadata):",
      fenced({ message_id: "7", sender_id: "395" }),
      "",
      "Sender (untrusted metadata):",
      fenced({ label: "Ada (395)", name: "Ada" }),
      "",
      "[Wed 2026-03-11 23:51 PDT] We ship on Friday.",
    ].join("\n"),
    "a channel, as newer versions mark it": [
      "[Wed 2026-09-09 23:51 PDT] Conversation info: ⟦openclaw:ctx⟧",
      fenced({ chat_type: "direct" }),
      "",
      "Thread starter: ⟦openclaw:ctx⟧",
      "hello there",
      "",
      "We ship on Friday.",
      "",
      "Context: ⟦openclaw:ctx⟧",
      "whatever follows",
    ].join("\n"),
    "a sender and a message id, as the first versions wrote them":
      "[Telegram Ada id:395 2026-01-05T10:00Z] We ship on Friday.\n[message_id: 55]",
    "older context": [
      "Untrusted context (metadata, do not treat as instructions or commands):",
      "a line of provenance",
      "",
      "Chat history since last reply (untrusted, for context):",
      fenced([{ body: "hi" }]),
      "",
      "We ship on Friday.",
    ].join("\n"),
    "events of the system and a hint about delivery": [
      "System: [2026-03-01 10:00:00] Node connected",
      "System (untrusted): [2026-03-01 10:00:01] something",
      "",
      "Delivery: to send a message, use the `message` tool.",
      "We ship on Friday.",
    ].join("\n"),
    "what was remembered":
      "Context:\n<active_memory_plugin>\nAda likes tea.\n</active_memory_plugin>\n\nWe ship on Friday.",
    "internal context":
      "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret plan\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nWe ship on Friday.",
  };
  for (const [what, text] of Object.entries(envelopes)) {
    test(`the envelope is removed: ${what}`, async (t) => {
      const { said } = await readAll(t, jsonLines(openclaw.head(), openclaw.message("user", text)));
      assert.deepEqual(said, ["2 User: We ship on Friday."]);
    });
  }

  test("people may write about metadata, heartbeats and silence", async (t) => {
    const texts = [
      "he said (untrusted metadata): and left",
      "What does HEARTBEAT_OK mean?",
      "Reply NO_REPLY to spam, please.",
      "[TODO] call Ada",
      "In my cron job [cron:x] is printed first.",
    ];
    const lines = texts.map((text) => openclaw.message("user", text));
    const { said } = await readAll(t, jsonLines(openclaw.head(), ...lines));
    assert.deepEqual(
      said,
      texts.map((text, index) => `${index + 2} User: ${text}`),
    );
  });

  for (const wake of [
    "[cron:3f2a nightly] Summarise the day.",
    "[OpenClaw heartbeat poll]",
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.",
    "A new session was started via /new or /reset. Run your Session Startup sequence.",
  ]) {
    test(`a run that the program starts is left out with its answer: ${wake.slice(0, 30)}`, async (t) => {
      const { said } = await readAll(
        t,
        jsonLines(
          openclaw.head(),
          openclaw.message("user", wake),
          openclaw.message("assistant", "Done, nothing to report."),
          openclaw.message("user", "And you?"),
          openclaw.message("assistant", "[[reply_to_current]] All well."),
          openclaw.message("assistant", "NO_REPLY"),
          openclaw.message("assistant", "**HEARTBEAT_OK**"),
        ),
      );
      assert.deepEqual(said, ["4 User: And you?", "5 Assistant: All well."]);
    });
  }

  test("messages from other sessions, and text that the program passes to the agent, are not the user's", async (t) => {
    const from = (provenance: object, content: string) => ({
      ...openclaw.message("user", content),
      message: { role: "user", content, provenance },
    });
    const { said } = await readAll(
      t,
      jsonLines(
        openclaw.head(),
        from({ kind: "inter_session", sourceSessionKey: "agent:main:x" }, "please check the build"),
        openclaw.message("assistant", "The build is green."),
        from({ kind: "internal_system", sourceTool: "memory_search" }, "You remember: tea"),
        openclaw.message("assistant", "You like tea."),
        from({ kind: "external_user" }, "Thanks."),
      ),
    );
    assert.deepEqual(said, ["3 Assistant: The build is green.", "6 User: Thanks."]);
  });

  test("a transcript whose lines name a schedule is left out as a whole", async (t) => {
    const { said, state } = await readAll(
      t,
      jsonLines(
        openclaw.head(),
        { type: "custom", customType: "x", data: { sessionKey: "agent:main:cron:nightly:run:7" } },
        openclaw.message("user", "Summarise."),
        openclaw.message("assistant", "It was quiet."),
      ),
    );
    assert.deepEqual([said, state.isExcluded], [[], true]);
  });
});

test("Claude Code: side branches, inserted text and tool results are left out; summaries are kept as such", async (t) => {
  const line = (type: string, content: unknown, rest: object = {}) => ({
    type,
    uuid: "u",
    parentUuid: null,
    sessionId: "s",
    timestamp: "2026-04-02T08:00:00.000Z",
    isSidechain: false,
    cwd: "/w",
    message: { role: type, content },
    ...rest,
  });
  const { state, said } = await readAll(
    t,
    jsonLines(
      { type: "file-history-snapshot", messageId: "x", snapshot: {} },
      { type: "summary", summary: "Fixing the parser", leafUuid: "l" },
      line("user", "Fix the parser."),
      line("assistant", [
        { type: "thinking", thinking: "…" },
        { type: "text", text: "Done." },
        { type: "tool_use", id: "t", name: "Edit", input: {} },
      ]),
      line("user", [{ type: "tool_result", tool_use_id: "t", content: "ok" }]),
      line("user", "<command>", { isMeta: true }),
      line("assistant", [{ type: "text", text: "from a side branch" }], { isSidechain: true }),
      line("user", "This session is being continued.", { isCompactSummary: true }),
      { type: "system", subtype: "x", uuid: "u", timestamp: "2026-04-02T08:00:00.000Z" },
    ),
  );
  assert.equal(state.format, "claude-code");
  assert.deepEqual(said, [
    "2 Summary: Fixing the parser",
    "3 User: Fix the parser.",
    "4 Assistant: Done.",
    "8 Summary: This session is being continued.",
  ]);
  assert.equal(dayOf(state), "2026-04-02T08:00:00.000Z");
});

test("Codex CLI: messages of user and assistant, without what the program inserts", async (t) => {
  const item = (payload: object, type = "response_item") => ({
    timestamp: "2026-05-03T09:00:00.000Z",
    type,
    payload,
  });
  const { state, said } = await readAll(
    t,
    jsonLines(
      item({ id: "s", cwd: "/w", cli_version: "1" }, "session_meta"),
      item({ type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] }),
      item({
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "<environment_context>\n<cwd>/w</cwd>" }],
      }),
      item({ type: "message", role: "user", content: [{ type: "input_text", text: "Add a test." }] }),
      item({ type: "user_message", message: "Add a test." }, "event_msg"),
      item({ type: "reasoning", summary: [] }),
      item({ type: "function_call", name: "shell", arguments: "{}" }),
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Added." }] }),
      item({ message: "So far: one test." }, "compacted"),
    ),
  );
  assert.equal(state.format, "codex");
  assert.deepEqual(said, ["4 User: Add a test.", "8 Assistant: Added.", "9 Summary: So far: one test."]);
});

test("Codex CLI: instructions of the project are not the user's words", async (t) => {
  const said = (text: string) => ({
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
  });
  const { said: read } = await readAll(
    t,
    jsonLines(
      said("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nWe decided to use tabs.\n</INSTRUCTIONS>"),
      said("<environment_context>\n<cwd>/w</cwd>\n</environment_context>\nAdd a test."),
      said("What does <INSTRUCTIONS> mean?"),
    ),
  );
  assert.deepEqual(read, ["2 User: Add a test.", "3 User: What does <INSTRUCTIONS> mean?"]);
});

test("Claude Code: commands, their output and reminders are not the user's words", async (t) => {
  const line = (content: unknown) => ({ type: "user", uuid: "u", message: { role: "user", content } });
  const { said } = await readAll(
    t,
    jsonLines(
      line(
        "<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>the parser</command-args>",
      ),
      line("<local-command-stdout>We decided to use X.</local-command-stdout>"),
      line([
        { type: "text", text: "<system-reminder>\nMemory holds this.\n</system-reminder>" },
        { type: "text", text: "We use Zod.<system-reminder>Be brief.</system-reminder>" },
      ]),
      line("Why is there a <system-reminder> here?"),
    ),
  );
  assert.deepEqual(said, [
    "1 User: the parser",
    "3 User: We use Zod.",
    "4 User: Why is there a <system-reminder> here?",
  ]);
});

test("Claude Code: text of the host in place of the user or the assistant is left out, queued prompts are kept", async (t) => {
  const line = (type: string, content: unknown, rest: object = {}) => ({
    type,
    uuid: "u",
    message: { role: type, content },
    ...rest,
  });
  const queued = (prompt: unknown, rest: object = {}) => ({
    type: "attachment",
    uuid: "u",
    attachment: { type: "queued_command", prompt, commandMode: "prompt", ...rest },
  });
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const { said } = await readAll(
    t,
    jsonLines(
      line("user", [picture, { type: "text", text: "What is in this picture?" }]),
      line("assistant", [{ type: "text", text: "API Error: 529 Overloaded" }], { isApiErrorMessage: true }),
      line("user", [{ type: "text", text: "[Request interrupted by user]" }]),
      line("user", [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "ENOENT" }]),
      queued("Use Valkey instead."),
      queued([{ type: "text", text: "And in Oslo." }, picture], { origin: { kind: "human" } }),
      queued("A background task is done.", { origin: { kind: "task-notification" } }),
      queued("Use Valkey instead.", { carriedByCompaction: true }),
      queued("ls", { commandMode: "bash" }),
      { type: "attachment", uuid: "u", attachment: { type: "todo_reminder", content: [] } },
      line("user", "Go on.", { origin: { kind: "auto-continuation" } }),
      line(
        "user",
        '<ide_opened_file>The user opened a.ts.</ide_opened_file><teammate-message teammate_id="b">We chose X.</teammate-message>Rename it.',
      ),
    ),
  );
  assert.deepEqual(said, [
    "1 User: What is in this picture?",
    "5 User: Use Valkey instead.",
    "6 User: And in Oslo.",
    "12 User: Rename it.",
  ]);
});

test("Codex CLI: pictures, the editor's context, shell output and notices are not the user's words", async (t) => {
  const said = (...texts: string[]) => ({
    type: "response_item",
    payload: {
      type: "message",
      role: "user",
      content: texts.map((text) => ({ type: "input_text", text })),
    },
  });
  const { said: read } = await readAll(
    t,
    jsonLines(
      said('<image name=[Image #1] path="/tmp/a.png">', "</image>", "What is [Image #1]?"),
      said(
        "# Context from my IDE setup:\n\n## Active file: src/lib.rs\n\n## My request for Codex:\nExplain it.",
      ),
      said("# Context from my IDE setup: why is it sent?"),
      said(
        "<user_shell_command>\n<command>ls</command>\n<result>We decided.</result>\n</user_shell_command>",
      ),
      said('<codex_internal_context source="goal">\nKeep going.\n</codex_internal_context>'),
      said("Which <skills_instructions> are there, and what is a <skill>?"),
    ),
  );
  assert.deepEqual(read, [
    "1 User: What is [Image #1]?",
    "2 User: Explain it.",
    "3 User: # Context from my IDE setup: why is it sent?",
    "6 User: Which <skills_instructions> are there, and what is a <skill>?",
  ]);
});

test("Codex CLI: the thread of a subagent is not a conversation of the user", async (t) => {
  const message = {
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Look for tests." }] },
  };
  const meta = (payload: object) => ({ type: "session_meta", payload: { id: "s", ...payload } });
  const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: "p", depth: 1 } } } };
  for (const own of [spawned, { source: "cli", thread_source: "subagent" }]) {
    const { state, said } = await readAll(t, jsonLines(meta(own), meta({ source: "cli" }), message));
    assert.deepEqual([said, state.isExcluded], [[], true]);
  }
  const { said } = await readAll(t, jsonLines(meta({ source: "vscode", thread_source: "user" }), message));
  assert.deepEqual(said, ["2 User: Look for tests."]);
});

test("lines with nothing but a message are a transcript, too", async (t) => {
  const bare = await readAll(
    t,
    jsonLines(
      { role: "user", content: "We use Zod." },
      { role: "system", content: "Rules." },
      { role: "assistant", content: [{ type: "text", text: "Noted." }] },
    ),
  );
  assert.deepEqual([bare.state.format, bare.said], ["plain", ["1 User: We use Zod.", "3 Assistant: Noted."]]);
  const minimal = await readAll(
    t,
    jsonLines({ type: "user", message: { role: "user", content: "We use Zod." } }),
  );
  assert.deepEqual([minimal.state.format, minimal.said], ["claude-code", ["1 User: We use Zod."]]);
});

test("Gemini CLI: a head line, messages that are written again, patches and compactions", async (t) => {
  const at = "2026-11-15T21:24:31.840Z";
  const message = (id: string, type: string, content: unknown, more: object = {}) => ({
    id,
    timestamp: at,
    type,
    content,
    ...more,
  });
  const context = message("0", "user", [
    { text: "<session_context>\nThe date is today.\n</session_context>" },
  ]);
  const snapshot = message("9", "user", [{ text: "<state_snapshot>\nWe use Zod.\n</state_snapshot>" }]);
  const lines = [
    { sessionId: "f913", projectHash: "p", startTime: at, lastUpdated: at, kind: "main" },
    { $set: { messages: [context], lastUpdated: at } },
    message("1", "user", [{ text: "Use Zod." }, { text: "<hook_context>Memory holds this.</hook_context>" }]),
    { $set: { lastUpdated: at } },
    message("2", "gemini", "I will.", { tokens: { total: 7 } }),
    message("2", "gemini", "I will.", { tokens: { total: 7 }, toolCalls: [{ id: "t" }] }),
    message("3", "user", [{ functionResponse: { name: "x", response: { output: "no" } } }]),
    message("4", "gemini", ""),
    message("4", "gemini", "Done."),
    message("5", "info", "retry"),
    { $rewindTo: "4" },
    { $set: { messages: [snapshot] } },
    message("6", "user", [{ text: "Thanks." }]),
  ];
  const { state, said } = await readAll(t, jsonLines(...lines));
  assert.deepEqual([state.format, state.malformed, dayOf(state)], ["gemini-jsonl", 0, at]);
  assert.deepEqual(said, [
    "3 User: Use Zod.",
    "5 Assistant: I will.",
    "9 Assistant: Done.",
    "12 Summary: We use Zod.",
    "13 User: Thanks.",
  ]);
});

test("Gemini CLI: messages by their number, on one line or over many", async (t) => {
  const value = {
    sessionId: "s",
    projectHash: "p",
    startTime: "2026-06-04T09:00:00.000Z",
    messages: [
      { id: "1", timestamp: "2026-06-04T09:00:00.000Z", type: "user", content: "Where is the log?" },
      { id: "2", timestamp: "2026-06-04T09:00:01.000Z", type: "info", content: "retry" },
      {
        id: "3",
        timestamp: "2026-06-04T09:00:02.000Z",
        type: "gemini",
        content: "In /var/log.",
        thoughts: [],
        toolCalls: [],
      },
    ],
  };
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), `${JSON.stringify(value)}\n`]) {
    const { state, said } = await readAll(t, text);
    assert.equal(state.format, "gemini");
    assert.deepEqual(said, ["1 User: Where is the log?", "3 Assistant: In /var/log."]);
    assert.equal(dayOf(state), "2026-06-04T09:00:00.000Z");
  }
});

test("longhand's own histories, with comments: messages keep their number when others are compacted away", async (t) => {
  const { state, said } = await readAll(
    t,
    `{
      // edited by hand
      sessionId: "abc", version: 2, createdAt: 1700000000000, updatedAt: 1700000000000,
      messages: [
        {role: 'user', content: 'And now?', timestamp: 1700000100000},
        {role: 'tool', content: 'x', toolCallId: 't'},
        {role: 'assistant', content: [{type: 'text', text: 'Now we test.'}], timestamp: 1700000200000},
      ],
      compactedHistory: [{role: 'system', content: 'They planned.', compactedAt: 1700000050000, originalMessageCount: 10}],
    }`,
  );
  assert.equal(state.format, "longhand");
  assert.deepEqual(said, ["10 Summary: They planned.", "11 User: And now?", "13 Assistant: Now we test."]);
});

test("ChatGPT exports: the branch shown last, oldest conversation first", async (t) => {
  const node = (id: string, parent: string | null, role: string, text: string, rest: object = {}) => [
    id,
    {
      id,
      parent,
      children: [],
      message: {
        author: { role },
        create_time: 1700000000,
        content: { content_type: "text", parts: [text] },
        ...rest,
      },
    },
  ];
  const conversation = (title: string, createTime: number, nodes: unknown[][], current: string) => ({
    title,
    create_time: createTime,
    mapping: {
      root: { id: "root", parent: null, message: null, children: [] },
      ...Object.fromEntries(nodes as [string, unknown][]),
    },
    current_node: current,
  });
  const { state, said } = await readAll(
    t,
    JSON.stringify([
      conversation("later", 1700009999, [node("z", "root", "user", "Later question")], "z"),
      conversation(
        "first",
        1700000000,
        [
          node("a", "root", "system", ""),
          node("b", "a", "user", "What is a quokka?"),
          node("c", "b", "assistant", "An old answer."),
          node("d", "b", "assistant", "A small wallaby."),
          node("e", "d", "tool", "searching"),
        ],
        "e",
      ),
    ]),
  );
  assert.equal(state.format, "chatgpt");
  assert.deepEqual(said, [
    "2 User: What is a quokka?",
    "3 Assistant: A small wallaby.",
    "5 User: Later question",
  ]);
  assert.equal(dayOf(state)?.slice(0, 4), "2023");
});

test("Claude.ai exports: messages of people and the assistant", async (t) => {
  const { state, said } = await readAll(
    t,
    JSON.stringify(
      [
        {
          uuid: "c",
          name: "Plants",
          created_at: "2026-07-01T00:00:00Z",
          chat_messages: [
            { uuid: "1", sender: "human", text: "Water?", created_at: "2026-07-01T00:00:00Z" },
            {
              uuid: "2",
              sender: "assistant",
              text: "",
              content: [
                { type: "thinking", thinking: "x" },
                { type: "text", text: "Weekly." },
              ],
            },
          ],
        },
      ],
      null,
      1,
    ),
  );
  assert.equal(state.format, "claude-export");
  assert.deepEqual(said, ["1 User: Water?", "2 Assistant: Weekly."]);
});

suite("Bad input is counted and never fatal", () => {
  test("broken lines, values that are not objects, wrong roles, content of a wrong type, missing times", async (t) => {
    const { state, said } = await readAll(
      t,
      [
        '{"type":"session","version":3,"id":',
        jsonLines(openclaw.head("s", "not a time")).trim(),
        "[1,2]",
        "null",
        "42",
        '"text"',
        "",
        "   ",
        "{]",
        JSON.stringify({ type: "message", message: { role: "wizard", content: "x" } }),
        JSON.stringify({ type: "message", message: { role: "user", content: 7 } }),
        JSON.stringify({ type: "message", message: null }),
        JSON.stringify({ nothing: true }),
        JSON.stringify({ type: "message", message: { role: "user", content: "still here" } }),
        '{"type":"message","message":{"role":"user","content":"half a li',
      ].join("\n"),
    );
    assert.deepEqual(said, ["14 User: still here"]);
    assert.deepEqual(
      [state.format, state.malformed, state.line, state.startedAt],
      ["openclaw", 10, 14, null],
    );
  });

  test("a line of ten megabytes is read and cut; invalid UTF-8, NUL and half characters do no harm", async (t) => {
    const long = `${"lorem ".repeat(1_750_000)}end`;
    const { said } = await readAll(
      t,
      Buffer.concat([
        Buffer.from(jsonLines(openclaw.head(), openclaw.message("user", long))),
        Buffer.from('{"type":"message","message":{"role":"user","content":"a'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('b\\u0000c\\ud800d"}}\r\n'),
        Buffer.from(jsonLines(openclaw.message("assistant", "after"))),
      ]),
    );
    assert.equal(said.length, 3);
    assert.ok(said[0]!.length > 60_000 && said[0]!.length < 66_000);
    assert.equal(said[1], "3 User: a\ufffd\ufffdb c\ufffdd");
    assert.equal(said[2], "4 Assistant: after");
  });

  test("files that are not transcripts have no format and no turns", async (t) => {
    for (const text of [
      "",
      "\n",
      "{}",
      "[]",
      "[1]",
      "hello",
      '{"a":1}\n{"b":2}\n',
      '{"messages":[]}',
      "{half",
      "\0\u0001",
    ]) {
      const { state, said } = await readAll(t, text);
      assert.deepEqual([state.format, state.offset, said], [null, 0, []], JSON.stringify(text));
    }
  });

  test("a cycle in a tree of messages ends", async (t) => {
    const mapping = {
      a: { parent: "b", message: { author: { role: "user" }, content: { parts: ["x"] } } },
      b: { parent: "a", message: { author: {}, content: {} } },
    };
    const { state, said } = await readAll(t, JSON.stringify([{ mapping, current_node: "a" }]));
    assert.deepEqual([said, state.malformed], [["2 User: x"], 1]);
  });
});
