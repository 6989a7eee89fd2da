// longhand for OpenCode: gives a session its memory, each prompt what memory knows about it, and writes down key
// sentences before a compaction. `longhand init --opencode` installs it as .opencode/plugin/longhand.js.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const launch = { command: ["longhand"], options: [] };

// biome-ignore format: generated from the prompts of the MCP server by scripts/host-packages.ts
const commands = {"recall":{"description":"Look up what memory knows about a topic.","template":"Search memory for: $ARGUMENTS\nCall memory_search, with other words too when the first ones find little, and memory_get for the lines around good hits. Then tell me what is known, newest first where dates matter, each point with its citation. Say plainly what memory does not hold."},"remember":{"description":"Write something down for later conversations.","template":"Write this to memory: $ARGUMENTS\nFirst call memory_search to see whether memory says it already, or says something else; if it says something else, tell me. Then call memory_add once for each fact, in sentences that make sense on their own, with absolute dates. What stays true for months goes to long-term. Never write passwords or keys."},"forget":{"description":"Find something in memory and remove it.","template":"Remove this from memory: $ARGUMENTS\nCall memory_search, show me the passages that say it, and ask which of them to remove. Remove them with memory_forget if you have that tool; otherwise give me the command, `longhand forget PATH:FROM-TO` for each passage, and do not edit the notes yourself."},"review":{"description":"Find what is repeated, outdated or contradictory in recent notes, and keep what lasts.","template":"Review memory with me. Read MEMORY.md and the daily notes of the last two weeks with memory_get. List what is said more than once, what a later note contradicts, what is outdated, and which facts of the daily notes will stay true for months. Propose the sentences for MEMORY.md and wait for my answer. Then write those that I agree to with memory_add and to set to long-term, and name what I should remove."},"consolidate":{"description":"Propose how to put the notes in order; nothing is changed until the user applies it.","template":"Propose a consolidation, and change no note yourself. Read MEMORY.md and the daily notes of the last four weeks with memory_get. Propose steps that put them in order. merge: lines that say the same become one, with its new text. supersede: a newer line contradicts an older one; name the older first. promote: a fact in a daily note (memory/YYYY-MM-DD.md) that stays true for months moves to MEMORY.md or the note of its topic (to). archive: lines that are not needed any more. Quote every source line exactly. A new text says nothing that its sources do not say. Leave out what is doubtful. A step is {\"kind\", \"sources\": [{\"path\", \"line\", \"text\"}], \"text\", \"to\", \"reason\"}. Write {\"steps\": […]} to a temporary file and run: longhand consolidate --submit FILE. Then tell me which were accepted and why others were refused. I review the plan with `longhand consolidate`, or on the page of `longhand serve`."}};

/** What is not saved before a compaction is lost from the conversation, so a busy machine gets more time for it. */
const withinSeconds = { "session-start": 5, "user-prompt": 5, "pre-compact": 28 };

/** A hook exits by itself; this only keeps OpenCode from waiting for one that hangs. */
const spareSeconds = 8;

/** OpenCode loads both a project's copy and a user's copy; all plugins of an instance get the same client. */
function isSecondCopy(client) {
  const key = Symbol.for("longhand.opencode");
  globalThis[key] ??= new WeakMap();
  const options = globalThis[key].get(client) ?? new Set();
  const own = JSON.stringify(launch.options);
  if (options.has(own)) return true;
  globalThis[key].set(client, options.add(own));
  return false;
}

export const Longhand = async ({ client, directory }) => {
  if (isSecondCopy(client)) return {};
  /** What each session was given at its start. It is part of every request, so it must stay the same. */
  const starts = new Map();
  const compacted = new Set();
  /** Sessions whose last compaction, at this time, the hook did not answer. */
  const unsaved = new Map();

  const startOf = (sessionID) => {
    if (!starts.has(sessionID)) starts.set(sessionID, start(sessionID));
    return starts.get(sessionID);
  };

  const start = async (sessionID) => {
    const until = unsaved.get(sessionID);
    // OpenCode keeps the earlier messages, so the sentences can still be saved.
    if (unsaved.delete(sessionID)) await saveSentences({ client, sessionID, directory, until });
    const source = compacted.has(sessionID) ? "compact" : "startup";
    return contextOf(await runHook("session-start", { session_id: sessionID, source, cwd: directory }));
  };

  return {
    config: async (config) => {
      config.mcp ??= {};
      config.mcp.longhand ??= {
        type: "local",
        command: [...launch.command, "mcp", ...launch.options],
        enabled: true,
      };
      // A command of the user with the same name is kept.
      config.command = { ...commands, ...config.command };
    },

    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const text = sessionID ? await startOf(sessionID) : "";
      if (text !== "") output.system.push(text);
    },

    "chat.message": async ({ sessionID }, output) => {
      const prompt = textOf(output.parts);
      if (prompt === "") return;
      const text = contextOf(await runHook("user-prompt", { session_id: sessionID, prompt, cwd: directory }));
      if (text === "") return;
      // Synthetic: the model reads it, and nobody takes it for the user's words.
      output.parts.push({
        id: `prt_${Date.now().toString(16)}longhand`,
        sessionID,
        messageID: output.message.id,
        type: "text",
        text,
        synthetic: true,
      });
    },

    "experimental.session.compacting": async ({ sessionID }, output) => {
      const until = Date.now();
      const text = await saveSentences({ client, sessionID, directory, until });
      if (text === "") unsaved.set(sessionID, until);
      else output.context.push(text);
      compacted.add(sessionID);
      starts.delete(sessionID);
    },
  };
};

/**
 * Saves key sentences of the conversation up to a time, and returns what the hook printed; "" if it saved nothing.
 * OpenCode keeps its messages in a database, so the hook gets a transcript in a temporary file, which it deletes when
 * it is done.
 */
async function saveSentences({ client, sessionID, directory, until }) {
  const data = await messagesOf(client, sessionID);
  if (data === null) return "";
  const lines = data
    .filter(({ info }) => info.time.created <= until)
    .flatMap(({ info, parts }) => {
      const timestamp = new Date(info.time.created).toISOString();
      const text = textOf(parts);
      // Messages before an earlier compaction were saved at that time. A summary without text is unfinished.
      if (info.role === "assistant" && info.summary === true)
        return text === "" ? [] : [{ type: "compaction", timestamp, summary: text }];
      const content = [{ type: "text", text }];
      return [{ type: "message", id: info.id, timestamp, message: { role: info.role, content } }];
    });
  const all = [{ type: "session", version: 3, id: sessionID }, ...lines];
  const file = join(tmpdir(), `longhand-${randomUUID()}.jsonl`);
  const text = all.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(file, text, { mode: 0o600, flag: "wx" });
  const input = { session_id: sessionID, transcript_path: file, transcript_is_copy: true, cwd: directory };
  const printed = await runHook("pre-compact", input);
  if (printed === "") await rm(file, { force: true });
  return printed;
}

/** Null if OpenCode does not return them. */
async function messagesOf(client, sessionID) {
  try {
    const { data } = await client.session.messages({ path: { id: sessionID } });
    return data ?? null;
  } catch {
    return null;
  }
}

function textOf(parts) {
  const own = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
  return own
    .map(({ text }) => text)
    .join("\n")
    .trim();
}

/** What the hook printed; "" if it could not be run, because a session must not fail for lack of memory. */
function runHook(event, input) {
  const within = withinSeconds[event];
  const words = [...launch.command, "hook", event, "--within", `${within}`, ...launch.options];
  // On Windows npm installs a command file, which only a shell can start.
  const shell = process.platform === "win32";
  const [command, ...args] = shell
    ? [words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")]
    : words;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: (within + spareSeconds) * 1000,
      windowsHide: true,
      shell,
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(printed.trim()));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

function contextOf(printed) {
  try {
    return JSON.parse(printed).hookSpecificOutput?.additionalContext ?? "";
  } catch {
    return "";
  }
}
