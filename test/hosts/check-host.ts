import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostEntry } from "../../src/hosts/host-list.ts";
import type { ProgramResult } from "../support/child-process.ts";
import type { checkTitles } from "./check-titles.ts";
import { drivers, type HostDriver } from "./drivers.ts";
import { type HostFixture, makeHostFixture } from "./host-fixture.ts";
import type { ModelRequest } from "./model/conversation.ts";
import { type ScriptedModel, type Step, startScriptedModel } from "./model/scripted-model.ts";

type CheckName = keyof typeof checkTitles;

interface Check {
  readonly ok: boolean;
  /** The host did not get as far as this check. */
  readonly isVoid?: boolean;
  readonly detail: string;
}

/** Absent: the host has no such feature, or it needs a person. */
export interface HostResult {
  readonly name: string;
  readonly version: string;
  readonly checks: Readonly<Partial<Record<CheckName, Check>>>;
}

const added = "The scripted host wrote this line on purpose: zebra-crossing-42.";
const decision = "We decided to move the invoices service to Valkey 9 because Priya needs its replication.";

const decisionPrompt = `${decision} Plan it. [script decide]`;

const scripts: Readonly<Record<string, readonly Step[]>> = {
  converse: [
    { tool: "memory_search", input: { query: "which database did we choose for the ledger?" } },
    { tool: "memory_get", input: { path: "memory/2026-03-02.md" } },
    { tool: "memory_add", input: { text: added } },
    { text: "All three tools answered." },
  ],
  decide: [{ text: "Understood, I will plan it that way.", tokens: 95_000 }],
  "read-on": [
    { tool: "memory_get", input: { path: "MEMORY.md" }, tokens: 95_000 },
    { text: "Nothing is left to do." },
  ],
  end: [{ text: "Nothing is left to do." }],
};

const question = "Which database did we choose for the ledger service, and why? [script converse]";

/** Runs two conversations in one real host, and checks what its model received and what was written. */
export async function checkHost(host: HostEntry, bin: string): Promise<HostResult> {
  const driver = drivers[host.name]!;
  await using model = await startScriptedModel(scripts);
  using fixture = makeHostFixture(bin);
  await setUpHost(host, fixture, model.url);
  const talk = await driver.ask(fixture, question, model);
  const talked = [...model.requests];
  const compaction = await checkCompaction(driver, fixture, model);
  return {
    name: host.name,
    version: host.tested!.version,
    checks: {
      doctor: await checkDoctor(host, fixture),
      ...withoutHooks(driver, checkConversation(talked, fixture, talk)),
      ...(compaction && { compaction }),
      transcript: await checkTranscript(fixture),
      ...(driver.package && {
        package: await checkPackage(driver, driver.package, bin),
        once: await checkBoth(host, driver.package, bin),
      }),
    },
  };
}

async function setUpHost({ name }: HostEntry, fixture: HostFixture, modelUrl: string): Promise<void> {
  const driver = drivers[name]!;
  await driver.prepare(fixture, modelUrl);
  await fixture.longhand("init", `--${name}`, "--allow-tools");
  const setUp = await driver.finishSetup?.(fixture);
  if (setUp && setUp.code !== 0) throw new Error(`The set-up failed: ${setUp.stdout}${setUp.stderr}`);
}

/**
 * Compacts one conversation after another, each in a new folder, until the host has compacted that many times. Gives up
 * on a host that fails to start half of the time. Yields nothing for a host that cannot be made to compact.
 */
export async function* repeatCompaction(host: HostEntry, bin: string, times: number): AsyncGenerator<Check> {
  for (let tries = 0, done = 0; done < times && tries < 2 * times; tries++) {
    await using model = await startScriptedModel(scripts);
    using fixture = makeHostFixture(bin);
    await setUpHost(host, fixture, model.url);
    const check = await checkCompaction(drivers[host.name]!, fixture, model);
    if (check === null) return;
    if (!check.isVoid) done++;
    yield check;
  }
}

/** doctor starts the program in the settings, and the host itself to get its version. */
async function checkDoctor({ name, tested }: HostEntry, fixture: HostFixture): Promise<Check> {
  const { stdout } = await fixture.run("longhand", ["doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { checks: readonly (Check & { name: string })[] };
  const own = checks.filter((check) => check.name === name);
  const isVersion = own.some(({ detail }) => detail.includes(tested!.version));
  return { ok: isVersion && own.every(({ ok }) => ok), detail: own.map(({ detail }) => detail).join("; ") };
}

function checkConversation(
  requests: readonly ModelRequest[],
  fixture: HostFixture,
  talk: ProgramResult,
): HostResult["checks"] {
  // Hosts also request a title, without tools.
  const asked = requests.filter(
    ({ messages, tools }) =>
      tools.length > 0 && messages.some(({ text }) => text.includes("[script converse]")),
  );
  const first = asked[0];
  const last = asked.at(-1);
  const output = `${talk.stdout}\n${talk.stderr}`.slice(-600);
  if (first === undefined || last === undefined) {
    return {
      tools: { ok: false, detail: `the model was not asked; the host ended with ${talk.code}: ${output}` },
    };
  }
  const offered = last.tools.filter(({ name }) => name.includes("memory_"));
  const answers = last.messages.filter(({ role }) => role === "tool").map(({ text }) => text);
  // Before the tools were offered, the model may have waited.
  const results = answers.slice(-3);
  const said = (request: ModelRequest) => request.messages.map(({ text }) => text).join("\n");
  const search = results.find((text) => text.includes("CockroachDB")) ?? "";
  const before = said(first).split("[script converse]");
  return {
    tools: {
      ok: ["memory_search", "memory_get", "memory_add"].every((name) =>
        offered.some((tool) => tool.name.endsWith(name)),
      ),
      detail: offered.map(({ name }) => name).join(", ") || "none",
    },
    fence: {
      ok: results.length >= 3 && results.slice(0, 2).every(isFenced) && !search.includes('"snippet"'),
      detail: search.slice(0, 400) || `results: ${results.length}; ${output}`,
    },
    writes: { ok: readNotes(fixture).includes(added), detail: results.at(-1)?.slice(0, 200) ?? output },
    start: {
      ok: said(first).includes("The user is called Ines") && isFenced(said(first)),
      detail: before[0]!.slice(-300),
    },
    prompt: { ok: said(first).includes("CockroachDB"), detail: said(first).slice(-300) },
  };
}

function withoutHooks({ hasHooks }: HostDriver, checks: HostResult["checks"]): HostResult["checks"] {
  const { start: _, prompt: __, ...others } = checks;
  return hasHooks === false ? others : checks;
}

/** Labelled as data, and inside a fence. */
function isFenced(text: string): boolean {
  return /not (?:as )?instructions/.test(text) && /`{3,}text\n/.test(text.replaceAll("\\n", "\n"));
}

async function checkCompaction(
  driver: HostDriver,
  fixture: HostFixture,
  model: ScriptedModel,
): Promise<Check | null> {
  if (driver.compact === undefined) return null;
  const { code, signal } = await driver.ask(fixture, decisionPrompt, model);
  if (!model.requests.some(({ messages }) => messages.some(({ text }) => text.includes(decision)))) {
    const detail = `the host never asked the model, and ended with ${signal ?? code}`;
    return { ok: false, isVoid: true, detail };
  }
  let compacted: ProgramResult;
  try {
    compacted = await driver.compact(fixture, model.url);
  } catch (error) {
    // A host that did not start fails this check, but not all others.
    return { ok: false, isVoid: true, detail: String(error).slice(-600) };
  }
  const { stdout, stderr } = compacted;
  const kept = readNotes(fixture);
  const ok = kept.includes("Valkey 9");
  return {
    ok,
    detail: ok
      ? "kept"
      : `${`${stdout}\n${stderr}`.slice(-600)}\nhooks: ${fixture.hookLog() || "none ran, so the host never got to a prompt"}`,
  };
}

/** `User: …` or `Assistant: …`. */
interface Turn {
  readonly text: string;
}

/** The host's own transcript, as longhand reads it. */
async function checkTranscript(fixture: HostFixture): Promise<Check> {
  await fixture.longhand("sessions", "import", "--yes");
  const listed = JSON.parse(await fixture.longhand("sessions", "list", "--json")) as {
    sessions: { id: string }[];
  };
  const shown = await Promise.all(
    listed.sessions.map(
      async ({ id }) =>
        JSON.parse(await fixture.longhand("sessions", "show", id, "--json")) as { turns: Turn[] },
    ),
  );
  const talk = shown.find(({ turns }) => turns.some(({ text }) => text.includes("[script converse]")));
  if (talk === undefined)
    return { ok: false, detail: `${shown.length} transcripts, none of this conversation` };
  const of = (role: string) =>
    talk.turns.filter(({ text }) => text.startsWith(`${role}: `)).map(({ text }) => text);
  // `opencode run` quotes a prompt with spaces itself. OpenClaw continues its only conversation.
  const asked = [question, decisionPrompt, "Go on. [script end]"].flatMap((prompt) => [
    `User: ${prompt}`,
    `User: "${prompt}"`,
  ]);
  const isUsers = of("User").every((text) => asked.includes(text));
  const isAgents = of("Assistant").some((text) => text.endsWith("All three tools answered."));
  return {
    ok: isUsers && isAgents,
    detail: JSON.stringify(talk.turns.map(({ text }) => text.slice(0, 120))),
  };
}

/** Installed by the host itself, without `longhand init`: tools, fences and hooks are the same. */
async function checkPackage(driver: HostDriver, packaged: HostPackage, bin: string): Promise<Check> {
  await using model = await startScriptedModel(scripts);
  using fixture = makeHostFixture(bin);
  await driver.prepare(fixture, model.url);
  await fixture.longhand("init");
  const problem = await installPackage(packaged, fixture);
  if (problem !== null) return { ok: false, detail: problem };
  const talk = await driver.ask(fixture, question, { url: model.url, options: packaged.askOptions });
  const { tools, fence, start } = checkConversation(model.requests, fixture, talk);
  const failed = [tools, fence, start].find((check) => !check?.ok);
  return { ok: failed === undefined, detail: failed?.detail ?? tools!.detail };
}

/** Set up by `longhand init` and installed by the host as well: the model reads everything once. */
async function checkBoth(host: HostEntry, packaged: HostPackage, bin: string): Promise<Check> {
  await using model = await startScriptedModel(scripts);
  using fixture = makeHostFixture(bin);
  await setUpHost(host, fixture, model.url);
  const problem = await installPackage(packaged, fixture);
  if (problem !== null) return { ok: false, detail: problem };
  await drivers[host.name]!.ask(fixture, question, { url: model.url, options: packaged.askOptions });
  const isOffered = ({ tools }: ModelRequest) => tools.some(({ name }) => name.endsWith("memory_search"));
  const first = model.requests.find(isOffered);
  const said = first?.messages.map(({ text }) => text).join("\n") ?? "";
  const counts = ["These notes are from earlier conversations", "Memory holds this about the prompt"].map(
    (text) => said.split(text).length - 1,
  );
  const searches = first?.tools.filter(({ name }) => name.endsWith("memory_search")) ?? [];
  return {
    ok: [...counts, searches.length].every((count) => count === 1),
    detail: `start ${counts[0]}, hits ${counts[1]}, tools ${searches.length}`,
  };
}

type HostPackage = NonNullable<HostDriver["package"]>;

/** Null if it is installed, otherwise what went wrong. */
async function installPackage({ install }: HostPackage, fixture: HostFixture): Promise<string | null> {
  for (const [command = "", ...args] of install) {
    const { code, stdout, stderr } = await fixture.run(command, args);
    if (code !== 0) return `${command} ${args.join(" ")}: ${stdout} ${stderr}`.slice(0, 600);
  }
  return null;
}

function readNotes({ project }: HostFixture): string {
  const folder = join(project, "memory");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}
