import path from "node:path";
import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import { checkConfig } from "../check.ts";
import { expandPath } from "../expand-path.ts";
import { configOptions } from "../options.ts";
import type { Environment } from "../variables.ts";
import { dropEmpty, dropUndefined, isInside, mergeFields, pick, replaceAt } from "./fields.ts";
import { createKeyTranslation, type UnmovedKey } from "./translate-keys.ts";
import { translateSearch } from "./translate-search.ts";

/** A setting of OpenClaw that is not imported. */
export interface UnsupportedSetting {
  /** The key as written in openclaw.json. */
  readonly key: string;
  readonly reason: string;
}

export interface OpenclawSettings {
  /** In the shape of our file, and valid. */
  readonly values: Fields;
  /** Settings about memory that are not imported. */
  readonly left: readonly UnsupportedSetting[];
  /** Service keys that were not imported, with the variable that longhand reads instead; null if there is none. */
  readonly keys: readonly UnmovedKey[];
  /** Sections of the file that are not about memory. */
  readonly otherParts: readonly string[];
  /** Every agent in the file, the main one first. */
  readonly agents: readonly string[];
  /** The key in openclaw.json that became this one. */
  writtenAs(key: string): string;
}

interface TranslateRequest {
  readonly value: unknown;
  /** OpenClaw's state folder. */
  readonly stateDir: string;
  readonly home: string;
  readonly exists: (folder: string) => boolean;
  /** `keep`: the file is used in place. `leave`: the imported settings are written to our own file, without keys. */
  readonly keys: "keep" | "leave";
  /** Where `${NAME}` is looked up; null disables expansion. */
  readonly env: Environment | null;
}

const agentParts = ["workspace", "userTimezone", "memorySearch", "compaction"];
const ownParts = new Set(["agents", "agent", "memorySearch", "memory", "plugins", "models"]);
/**
 * Translates the memory settings of OpenClaw into our own configuration. Reads the current layout (`memory.search`,
 * `agents.entries`), the one before (`agents.defaults.memorySearch`, `agents.list`) and the first (`agent`). Never
 * throws: unusable settings are listed in `left`.
 */
export function translateOpenclaw(request: TranslateRequest): OpenclawSettings {
  const file = fieldsOf(request.value);
  const left: UnsupportedSetting[] = [];
  const renamed: [ours: string, theirs: string][] = [];
  const models = fieldsOf(file["models"]);
  const providers = fieldsOf(models["providers"]);
  const memory = fieldsOf(file["memory"]);
  const agents = fieldsOf(file["agents"]);

  const writtenAs = (key: string) => writeAs(key, renamed);
  const keys = createKeyTranslation({
    mode: request.keys,
    writtenAs,
    leaveOut: (key, reason) => void left.push({ key, reason }),
  });

  const leaveUnder = (prefix: string) => (key: string, reason: string) =>
    void left.push({ key: `${prefix}.${key}`, reason });

  const searchContext = (prefix: string) => ({
    providers,
    leaveOut: leaveUnder(prefix),
    takeKey: (key: string, value: unknown) =>
      keys.ofOtherService(value, key.startsWith("models.") ? key : `${prefix}.${key}`),
  });

  function translateAgent(entry: Fields, theirs: string, ours: string): Record<string, unknown> {
    const search = fieldsOf(fieldsOf(entry["memory"])["search"]);
    const isNew = Object.keys(search).length > 0;
    const searchKey = isNew ? `${theirs}.memory.search` : `${theirs}.memorySearch`;
    if (isNew) renamed.push([`${ours}.memorySearch`, searchKey]);
    renamed.push([ours, theirs]);
    const translated = pick(entry, agentParts);
    const both = mergeFields(fieldsOf(entry["memorySearch"]), search);
    if (Object.keys(both).length > 0) {
      translated["memorySearch"] = translateSearch(both, searchContext(searchKey));
    }
    if (isFields(entry["compaction"])) {
      translated["compaction"] = pick(entry["compaction"], ["reserveTokensFloor", "memoryFlush"]);
    }
    return translated;
  }

  const first = mergeFields(fieldsOf(file["agent"]), pick(file, ["memorySearch"]));
  const defaults = mergeFields(first, fieldsOf(agents["defaults"]));
  const theirDefaults =
    agents["defaults"] === undefined && file["agent"] !== undefined ? "agent" : "agents.defaults";
  const translatedDefaults = translateAgent(defaults, theirDefaults, "agents.defaults");
  if (isFields(memory["search"])) {
    renamed.unshift(["agents.defaults.memorySearch", "memory.search"]);
    const search = translateSearch(memory["search"], searchContext("memory.search"));
    translatedDefaults["memorySearch"] = mergeFields(fieldsOf(translatedDefaults["memorySearch"]), search);
  }

  const listed = listAgents(agents);
  const main = listed.find(({ entry }) => entry["default"] === true) ?? listed[0];
  const mainWorkspace = resolveWorkspaceDir(translatedDefaults["workspace"]) ?? defaultWorkspace(request);
  const list = listed.map(({ id, entry, theirs }, index) => {
    const translated = translateAgent(entry, theirs, `agents.list[${index}]`);
    const own = resolveWorkspaceDir(translated["workspace"]);
    const workspace = own ?? (id === main?.id ? mainWorkspace : sideWorkspace(id));
    return { id, ...withoutSessions(translated), workspace };
  });
  translatedDefaults["workspace"] = list.find(({ id }) => id === main?.id)?.workspace ?? mainWorkspace;

  /** An agent may switch off the transcripts that the defaults switch on. */
  function withoutSessions(agent: Record<string, unknown>): Record<string, unknown> {
    const search = fieldsOf(agent["memorySearch"]);
    const isOff = fieldsOf(search["experimental"])["sessionMemory"] === false;
    return isOff && search["sources"] === undefined
      ? { ...agent, memorySearch: { ...search, sources: ["memory"] } }
      : agent;
  }

  /** More folders for qmd are more folders for all engines. */
  function translateMemory({ qmd, ...rest }: Fields): Fields {
    const { paths, command, ...others } = fieldsOf(qmd);
    const settings = { ...others, ...(command !== undefined && { command: readCommand(command) }) };
    const extra = Array.isArray(paths) ? paths : [];
    for (const [index, entry] of extra.entries()) {
      const { path: folder, pattern } = fieldsOf(entry);
      const isPlain = pattern === undefined || pattern === "**/*.md";
      if (typeof folder !== "string" || !isPlain) {
        left.push({
          key: `memory.qmd.paths[${index}]`,
          reason: "a pattern is not supported; name the folder alone",
        });
        continue;
      }
      const search = fieldsOf(translatedDefaults["memorySearch"]);
      const known = Array.isArray(search["extraPaths"]) ? search["extraPaths"] : [];
      translatedDefaults["memorySearch"] = { ...search, extraPaths: [...known, folder] };
    }
    return { ...pick(rest, ["backend", "citations"]), ...(qmd !== undefined && { qmd: settings }) };
  }

  /** A path with spaces is quoted. */
  function readCommand(command: unknown): unknown {
    const quoted = typeof command === "string" ? /^\s*(["'])(.+?)\1(.*)$/s.exec(command) : null;
    if (quoted === null) return command;
    if (quoted[3]!.trim() !== "") {
      left.push({
        key: "memory.qmd.command",
        reason: "arguments are not supported; only the program is run",
      });
    }
    return quoted[2];
  }

  function resolveWorkspaceDir(text: unknown): string | undefined {
    if (typeof text !== "string" || text.trim() === "") return undefined;
    return expandPath(text.trim(), { home: request.home, baseDir: request.stateDir });
  }

  /** Agents other than the main one have a folder inside its workspace, or in versions before 2026.6 beside it. */
  function sideWorkspace(id: string): string {
    const inside = resolveWorkspaceDir(fieldsOf(agents["defaults"])["workspace"]);
    const beside = path.join(request.stateDir, `workspace-${id}`);
    return inside !== undefined && !request.exists(beside) ? path.join(inside, id) : beside;
  }

  const candidate = dropUndefined({
    agents: { defaults: translatedDefaults, ...(list.length > 0 && { list }) },
    ...(isFields(file["memory"]) && { memory: translateMemory(memory) }),
    ...(isFields(file["plugins"]) && { plugins: translatePlugins(file["plugins"], leaveUnder("plugins")) }),
    models: { providers: translateProviders(providers) },
  }) as Record<string, unknown>;
  keys.replaceAll(candidate);
  prune(candidate);
  dropEmpty(candidate);
  return {
    values: candidate,
    left,
    keys: keys.unmoved,
    otherParts: Object.keys(file).filter((name) => !ownParts.has(name) && !name.startsWith("$")),
    agents:
      main === undefined ? ["main"] : [main.id, ...list.map(({ id }) => id).filter((id) => id !== main.id)],
    writtenAs,
  };

  /** Removes everything that the validation refuses. */
  function prune(fields: Record<string, unknown>): void {
    for (let round = 0; round < maxRounds; round++) {
      const { problems } = checkConfig({ options: configOptions, value: fields, env: request.env });
      if (problems.length === 0) return;
      for (const { key, message, isUnknownKey } of problems) {
        const reason = isUnknownKey ? "longhand has no such setting" : message;
        left.push({ key: writtenAs(key), reason });
      }
      const refused = [...new Set(problems.map(({ key }) => wholePart(fields, key)))];
      const outermost = refused.filter((key) => !refused.some((other) => isInside(key, other)));
      // From the end, because removing an item from a list shifts the ones after it.
      for (const key of outermost.toReversed()) {
        // No other key is sent to the address that this one was for.
        replaceAt(fields, key, key.endsWith(".remote.apiKey") ? "" : undefined);
      }
    }
  }
}

/**
 * What is removed because of an invalid key: an agent as a whole without a usable name, and a rule as a whole if it
 * would allow more without the key.
 */
function wholePart(fields: Fields, key: string): string {
  const rule = /^memory\.qmd\.scope\.rules\[(\d+)\]\./.exec(key);
  if (rule === null) return key.replace(/^(agents\.list\[\d+\])\.id$/, "$1");
  const { rules } = fieldsOf(fieldsOf(fieldsOf(fields["memory"])["qmd"])["scope"]);
  const denies = Array.isArray(rules) && fieldsOf(rules[Number(rule[1])])["action"] === "deny";
  return denies ? key : rule[0].slice(0, -1);
}

/** Several checks may refuse the same value. */
const maxRounds = 20;

function listAgents(agents: Fields): { id: string; entry: Fields; theirs: string }[] {
  const list = Array.isArray(agents["list"]) ? agents["list"] : [];
  const fromList = list.map((entry, index) => ({
    id: String(fieldsOf(entry)["id"] ?? ""),
    entry: fieldsOf(entry),
    theirs: `agents.list[${index}]`,
  }));
  const fromEntries = Object.entries(fieldsOf(agents["entries"])).map(([id, entry]) => ({
    id,
    entry: fieldsOf(entry),
    theirs: `agents.entries.${id}`,
  }));
  return [...fromList, ...fromEntries]
    .map((each) => ({ ...each, id: each.id.trim().toLowerCase() }))
    .filter(({ id }) => id !== "");
}

function defaultWorkspace({ stateDir, home, exists }: TranslateRequest): string {
  const present = path.join(stateDir, "workspace");
  const earlier = path.join(home, "clawd");
  return !exists(present) && exists(earlier) ? earlier : present;
}

function translateProviders(providers: Fields): Fields {
  const google = mergeFields(fieldsOf(providers["gemini"]), fieldsOf(providers["google"]));
  const known = { openai: fieldsOf(providers["openai"]), google, voyage: fieldsOf(providers["voyage"]) };
  return Object.fromEntries(
    Object.entries(known)
      .map(([name, provider]) => [name, pick(provider, ["apiKey", "baseUrl", "headers"])] as const)
      .filter(([, provider]) => Object.keys(provider).length > 0),
  );
}

function translatePlugins(plugins: Fields, leaveOut: (key: string, reason: string) => void): Fields {
  const slot = fieldsOf(plugins["slots"])["memory"];
  const entries = fieldsOf(plugins["entries"]);
  const lancedb = fieldsOf(fieldsOf(entries["memory-lancedb"])["config"]);
  const isKnown = slot === undefined || ["memory-core", "memory-lancedb", "none"].includes(slot as string);
  if (!isKnown) leaveOut("slots.memory", `${JSON.stringify(slot)} is a plugin of OpenClaw`);
  const { autoRecall, autoCapture, ...others } = lancedb;
  for (const name of Object.keys(others))
    leaveOut(`entries.memory-lancedb.config.${name}`, "longhand has no such setting");
  return {
    ...(slot !== undefined && isKnown && { slots: { memory: slot } }),
    ...((autoRecall !== undefined || autoCapture !== undefined) && {
      memoryLancedb: { autoRecall, autoCapture },
    }),
  };
}

function writeAs(key: string, renamed: readonly [ours: string, theirs: string][]): string {
  for (const [ours, theirs] of renamed) {
    if (key === ours || key.startsWith(`${ours}.`)) return theirs + key.slice(ours.length);
  }
  return key;
}
