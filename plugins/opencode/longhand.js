// longhand for OpenCode: gives a session its memory, each prompt what memory knows about it, and writes down key
// sentences before a compaction. `longhand init --opencode` installs it as .opencode/plugin/longhand.js.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const launch = { command: ["longhand"], options: [] };

// biome-ignore format: generated from the prompts of the MCP server by scripts/host-packages.ts
const commands = {"recall":{"description":"Look up what memory knows about a topic.","template":"Search memory for: $ARGUMENTS\nCall memory_search, with other words too when the first ones find little, and memory_get for the lines around good hits. Then tell me what is known, newest first where dates matter, each point with its citation. Say plainly what memory does not hold."},"remember":{"description":"Write something down for later conversations.","template":"Write this to memory: $ARGUMENTS\nFirst call memory_search to see whether memory says it already, or says something else; if it says something else, tell me. Then call memory_add once for each fact, in sentences that make sense on their own, with absolute dates. What stays true for months goes to long-term. Never write passwords or keys."},"forget":{"description":"Find something in memory and remove it.","template":"Remove this from memory: $ARGUMENTS\nCall memory_search, show me the passages that say it, and ask which of them to remove. Remove them with memory_forget if you have that tool; otherwise give me the command, `longhand forget PATH:FROM-TO` for each passage, and do not edit the notes yourself."},"review":{"description":"Find what is repeated, outdated or contradictory in recent notes, and keep what lasts.","template":"Review memory with me. Read MEMORY.md and the daily notes of the last two weeks with memory_get. List what is said more than once, what a later note contradicts, what is outdated, and which facts of the daily notes will stay true for months. Propose the sentences for MEMORY.md and wait for my answer. Then write those that I agree to with memory_add and to set to long-term, and name what I should remove."},"consolidate":{"description":"Propose how to put the notes in order; nothing is changed until the user applies it.","template":"Propose how to put memory in order, and change no note yourself. Read MEMORY.md and the daily notes of the last four weeks with memory_get. Propose steps that put them in order. merge: lines that say the same become one, with its new text. supersede: a newer line contradicts an older one; name the older first. promote: a fact in a daily note (memory/YYYY-MM-DD.md) that stays true for months moves to MEMORY.md or the note of its topic (to). archive: lines that are not needed any more. Quote every source line exactly. A new text says nothing that its sources do not say. Leave out what is doubtful. A step is {\"kind\", \"sources\": [{\"path\", \"line\", \"text\"}], \"text\", \"to\", \"reason\"}. Write {\"steps\": […]} to a temporary file and run: longhand consolidate --submit FILE. Then tell me which were accepted and why others were refused. I review the plan with `longhand consolidate`, or on the page of `longhand serve`."}};

/** A hook ends by itself; this only keeps OpenCode from waiting for one that hangs. */
const maxSeconds = 10;

/** OpenCode loads a copy in the project and one of the user; all plugins of an instance get the same client. */
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
  /** What each session was given at its start. It is part of every request, so it must not change in between. */
  const starts = new Map();
  const compacted = new Set();

  const startOf = (sessionID) => {
    const source = compacted.has(sessionID) ? "compact" : "startup";
    if (!starts.has(sessionID))
      starts.set(
        sessionID,
        runHook("session-start", { session_id: sessionID, source, cwd: directory }).then(contextOf),
      );
    return starts.get(sessionID);
  };

  return {
    config: async (config) => {
      config.mcp ??= {};
      config.mcp.longhand ??= {
        type: "local",
        command: [...launch.command, "mcp", ...launch.options],
        enabled: true,
      };
      // A command that the user has under the same name stays.
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
      const text = await beforeCompaction(client, sessionID, directory);
      if (text !== "") output.context.push(text);
      compacted.add(sessionID);
      starts.delete(sessionID);
    },
  };
};

/** OpenCode keeps its messages in a database, so the hook is given a transcript of this session in a file. */
async function beforeCompaction(client, sessionID, directory) {
  const { data = [] } = await client.session.messages({ path: { id: sessionID } });
  const lines = data.map(({ info, parts }) => {
    const timestamp = new Date(info.time.created).toISOString();
    // What was said before an earlier compaction was kept at that time.
    if (info.role === "assistant" && info.summary === true)
      return { type: "compaction", timestamp, summary: textOf(parts) || "compacted" };
    const content = [{ type: "text", text: textOf(parts) }];
    return { type: "message", id: info.id, timestamp, message: { role: info.role, content } };
  });
  const all = [{ type: "session", version: 3, id: sessionID }, ...lines];
  const folder = await mkdtemp(join(tmpdir(), "longhand-"));
  const file = join(folder, `${sessionID}.jsonl`);
  await writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
  const text = await runHook("pre-compact", { session_id: sessionID, transcript_path: file, cwd: directory });
  // A hook that ran out of time, or was killed and said nothing, reads the file again at the next start.
  if (text !== "" && !text.includes("saves the rest")) await rm(folder, { recursive: true, force: true });
  return text;
}

function textOf(parts) {
  const own = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
  return own
    .map(({ text }) => text)
    .join("\n")
    .trim();
}

/** What the hook printed; "" when it could not be run, because a session must not fail for want of memory. */
function runHook(event, input) {
  const words = [...launch.command, "hook", event, ...launch.options];
  // On Windows npm installs a command file, which only a shell starts.
  const shell = process.platform === "win32";
  const [command, ...args] = shell
    ? [words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")]
    : words;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: maxSeconds * 1000,
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
