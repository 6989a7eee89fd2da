/**
 * `npm run demo`: indexes the example memory through the command line and asks four questions, then ten more that share
 * no word with the note that answers them.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const questions = [
  { ask: "Why were the text messages late?", expect: "memory/incidents/2026-09-23-text-messages.md" },
  { ask: "SKERRY_SMS_MAX_SEGMENTS", expect: "memory/2026-11-03.md" },
  { ask: "Wann endet die Probezeit in Sandhagen?", expect: "memory/hafen-sandhagen.md" },
  { ask: "短信签名审核需要多久？", expect: "memory/zhoushan.md" },
];

const repository = path.join(import.meta.dirname, "..");
const workspace = path.join(repository, "examples", "workspace");
const otherWords = path.join(repository, "examples", "other-words.ts");
const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-demo-"));
const cli = [
  path.join(repository, "src", "cli", "bin.ts"),
  "--workspace",
  workspace,
  "--state-dir",
  stateDir,
];

try {
  await show("index");
  const missed: string[] = [];
  for (const { ask, expect } of questions) {
    await show("search", ask, "-n", "2");
    if (!(await hitPaths(ask)).includes(expect)) missed.push(`"${ask}" did not find ${expect}.`);
  }
  if (missed.length > 0) throw new Error(missed.join("\n"));
  console.log(
    "\nAll four answers were found. Ten questions that share no word with the note that answers them:\n",
  );
  await run(
    ["--import", new URL("longhand-from-source.ts", import.meta.url).href, otherWords],
    "The example",
  );
  console.log("\nThe notes are in examples/workspace and examples/other-words; nothing else was written.");
} finally {
  await rm(stateDir, { recursive: true, force: true });
}

/** Runs a command as a person would, with its output on this terminal. */
async function show(...args: string[]): Promise<void> {
  console.log(`\n$ longhand ${args.map((word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`)).join(" ")}\n`);
  await run([...cli, ...args], `longhand ${args[0]}`);
}

async function run(args: readonly string[], name: string): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} ended with exit code ${code}.`);
}

async function hitPaths(question: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [...cli, "search", question, "--json"]);
  return (JSON.parse(stdout) as { results: { path: string }[] }).results.map((hit) => hit.path);
}
