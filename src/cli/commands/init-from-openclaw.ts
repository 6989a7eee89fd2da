// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the user has to type it literally.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { findLocations } from "../../config/locations.ts";
import {
  findOpenclaw,
  type OpenclawInstallation,
  openclawAgentPaths,
} from "../../config/openclaw/find-openclaw.ts";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import type { ImportedVectors } from "../../memory/memory.ts";
import { realFolder } from "../../notes/workspace.ts";
import { isFolder } from "../../paths.ts";
import { countOf } from "../../text/count-of.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { configTemplate, writeConfig } from "../edit-config.ts";
import type { View } from "../output.ts";
import { locationsOf, openOtherAgent } from "../with-memory.ts";

interface MoveInput {
  readonly dir?: string;
  readonly provider?: string;
  readonly print?: boolean;
}

/** The outcome for one agent. */
interface MovedAgent {
  readonly id: string;
  readonly workspace: string;
  /** Transcripts of OpenClaw that are now read in place. */
  readonly transcripts: number;
  readonly searchesTranscripts: boolean;
  readonly vectors: ImportedVectors | null;
  readonly problem?: string;
}

/** Imports settings, transcripts and paid vectors from OpenClaw. Nothing of OpenClaw's is changed. */
export async function runInitFromOpenclaw(context: CommandContext, input: MoveInput): Promise<void> {
  const { globals, output, currentDir } = context;
  const named = input.dir === undefined ? undefined : resolve(currentDir, input.dir);
  const openclaw = await findOpenclaw(named);
  const { configPath, stateDir } = findLocations(locationsOf(globals));
  // If longhand's state folder is OpenClaw's, the configuration there is used unchanged.
  const isInPlace = openclaw.stateDir !== null && realFolder(openclaw.stateDir) === realFolder(stateDir);
  const values = withProvider(openclaw.settings.values, input.provider);
  const text = renderConfig(values, openclaw);
  const report = describe(openclaw);
  if (input.print) {
    output.show({ ...report, config: values }, () => text);
    for (const line of renderNotImported(openclaw)) output.note(line);
    return;
  }
  if (isInPlace && input.provider !== undefined) throw refuseProvider(openclaw.found);
  const created = isInPlace ? [] : await createConfig(configPath, text, values);
  const agents: MovedAgent[] = [];
  for (const id of openclaw.settings.agents) agents.push(await moveAgent(context, id, openclaw, isInPlace));
  output.show({ ...report, created, agents }, (view) => renderMoved(openclaw, { created, agents }, view));
  for (const line of renderNotImported(openclaw)) output.note(line);
  output.note('\nTry next:\n  longhand search "what did we decide?"\n  longhand status');
}

async function moveAgent(
  context: CommandContext,
  id: string,
  { stateDir, settings }: OpenclawInstallation,
  isInPlace: boolean,
): Promise<MovedAgent> {
  const { workspace, searchesTranscripts } = agentOf(settings.values, id);
  const agent = { id, workspace, transcripts: 0, searchesTranscripts, vectors: null };
  if (!isFolder(workspace)) {
    return { ...agent, problem: "the workspace does not exist" };
  }
  if (stateDir === null) return agent;
  try {
    return { ...agent, ...(await moveFiles(context, id, stateDir, isInPlace)) };
  } catch (error) {
    // The configuration was written; a key that it references may not be exported yet.
    if (!(error instanceof LonghandError) || error.code !== "config-invalid") throw error;
    return {
      ...agent,
      problem: `transcripts and vectors. ${error.message} ${error.hint} Then run this command again.`,
    };
  }
}

async function moveFiles(
  context: CommandContext,
  id: string,
  stateDir: string,
  isInPlace: boolean,
): Promise<Pick<MovedAgent, "transcripts" | "vectors">> {
  await using memory = await openOtherAgent(context, id);
  const { indexes, transcripts } = openclawAgentPaths(stateDir, id);
  const candidates = isInPlace ? [] : await memory.sessions.candidates(transcripts);
  if (candidates.length > 0) await memory.sessions.import(candidates.map(({ path }) => path));
  const vectors = await memory.importVectors({ from: indexes, signal: context.signal });
  const files = candidates.reduce((sum, each) => sum + each.files, 0);
  return { transcripts: files, vectors: vectors.made.length === 0 ? null : vectors };
}

// biome-ignore lint/suspicious/noExplicitAny: a configuration that was validated when it was translated.
type Fields = Readonly<Record<string, any>>;

function agentOf(values: Fields, id: string): { workspace: string; searchesTranscripts: boolean } {
  const { defaults = {}, list = [] } = values["agents"] ?? {};
  const own = list.find((agent: Fields) => agent["id"] === id);
  const sources = own?.memorySearch?.sources ?? defaults.memorySearch?.sources ?? [];
  return {
    workspace: own?.workspace ?? defaults.workspace,
    searchesTranscripts: sources.includes("sessions"),
  };
}

function withProvider(values: Fields, provider: string | undefined): Fields {
  if (provider === undefined) return values;
  const { defaults = {}, ...agents } = values["agents"] ?? {};
  const memorySearch = { ...defaults.memorySearch, provider };
  return { ...values, agents: { defaults: { ...defaults, memorySearch }, ...agents } };
}

function renderConfig(values: Fields, { found }: OpenclawInstallation): string {
  return (
    `// Configuration of longhand, in JSON5. Made by longhand init --from-openclaw from ${showOnOneLine(found)}\n` +
    `// All settings, in effect here: longhand config\n${JSON.stringify(values, null, 2)}\n`
  );
}

/** The file that was written; empty if it already has the same content. */
async function createConfig(path: string, text: string, values: Fields): Promise<string[]> {
  const before = readText(path);
  if (before !== null && before !== configTemplate) {
    const { default: json5 } = await import("json5");
    if (isDeepStrictEqual(json5.parse(before), values)) return [];
    throw new LonghandError(
      "config-invalid",
      `A configuration already exists: ${path}. It was not changed.`,
      {
        hint: "See what would be written with --print and put it there by hand, or name another file with --config.",
      },
    );
  }
  writeConfig(path, text, before);
  return [path];
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function describe({ found, settings }: OpenclawInstallation) {
  const { left, keys, otherParts } = settings;
  return { from: found, left, keys, otherParts };
}

function renderMoved(
  { found }: OpenclawInstallation,
  { created, agents }: { created: readonly string[]; agents: readonly MovedAgent[] },
  { paint }: View,
): string {
  const lines = [`Imported from ${paint("cyan", showOnOneLine(found))}, where nothing was changed`];
  for (const file of created) lines.push(`  ${paint("green", "created")}  ${showOnOneLine(file)}`);
  for (const agent of agents) {
    lines.push(`  ${paint("bold", agent.id)}  ${showOnOneLine(agent.workspace)}`);
    for (const line of describeAgent(agent)) lines.push(`    ${showOnOneLine(line)}`);
  }
  return lines.join("\n");
}

function describeAgent({ problem, transcripts, searchesTranscripts, vectors }: MovedAgent): string[] {
  const lines: string[] = [];
  if (problem !== undefined) lines.push(`left out: ${problem}`);
  if (transcripts > 0) {
    const when = searchesTranscripts ? "" : ' once memorySearch.sources has "sessions" (docs/sessions.md)';
    lines.push(`${countOf(transcripts, "transcript")} searched in place${when}`);
  }
  if (vectors === null) return lines;
  const there = vectors.made.map(({ provider, model, vectors: count }) => `${count} of ${provider} ${model}`);
  if (vectors.reason === undefined) {
    const missing = countOf(vectors.missing, "text has", "texts have");
    lines.push(
      `${countOf(vectors.imported, "vector")} imported, so their texts need not be sent; ${missing} none yet`,
    );
  } else lines.push(`vectors in OpenClaw's index (${there.join(", ")}) were not imported: ${vectors.reason}`);
  return lines;
}

/** What was not imported, in sentences. */
function renderNotImported({ settings: { left, keys, otherParts } }: OpenclawInstallation): string[] {
  const lines: string[] = [];
  if (left.length > 0) {
    lines.push("\nNot imported:");
    for (const { key, reason } of left) lines.push(`  ${showOnOneLine(key)}: ${showOnOneLine(reason)}`);
  }
  if (keys.length > 0) {
    lines.push("\nKeys are not copied. Export them where longhand runs:");
    for (const { key, variable } of keys) {
      const how = variable ?? "a variable of your choice, named in longhand.json5 as ${NAME}";
      lines.push(`  ${how}  (${showOnOneLine(key)})`);
    }
  }
  if (otherParts.length > 0) {
    lines.push(
      `\nNot about memory, and not read: ${otherParts.map((part) => showOnOneLine(part)).join(", ")}`,
    );
  }
  return lines;
}

function refuseProvider(file: string): LonghandError {
  return new LonghandError("config-invalid", `Could not set the provider: ${file} is OpenClaw's own.`, {
    hint: "Set memorySearch.provider there, or choose another state folder for longhand.",
  });
}
