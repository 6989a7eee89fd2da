import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import type { Environment } from "../variables.ts";
import { mergeFields } from "./fields.ts";

/** Names of OpenClaw's configuration file in its state folder, the current one first. */
const openclawFileNames = ["openclaw.json", "moltbot.json", "clawdbot.json"];

export function isOpenclawFile(file: string): boolean {
  return openclawFileNames.includes(path.basename(file));
}

/** The path of OpenClaw's configuration in a folder; null if there is none. */
export function findOpenclawFile(folder: string): string | null {
  const files = openclawFileNames.map((name) => path.join(folder, name));
  return files.find(isReachableFile) ?? null;
}

/** An unreadable folder (EACCES, ELOOP) is reported by the next operation in it. */
function isReachableFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Whether a configuration is OpenClaw's, whatever its file name: it has sections that only OpenClaw knows. */
export function looksLikeOpenclaw(value: unknown): boolean {
  return isFields(value) && ["gateway", "channels", "wizard"].some((part) => isFields(value[part]));
}

const deepestInclude = 10;
const maxBytes = 1024 * 1024;

/**
 * Resolves `$include`. Only files in or below the folder of the configuration are read; others are skipped and
 * reported.
 */
export async function resolveIncludes(
  value: unknown,
  { folder, parse, onSkipped }: IncludeOptions,
  depth = 0,
): Promise<unknown> {
  if (Array.isArray(value)) {
    return await Promise.all(value.map((item) => resolveIncludes(item, { folder, parse, onSkipped }, depth)));
  }
  if (!isFields(value)) return value;
  const { $include: include, ...rest } = value;
  let merged: Fields = {};
  for (const name of [include].flat().filter((each) => typeof each === "string")) {
    const file = path.resolve(folder, name);
    const reason = depth >= deepestInclude ? "files include each other" : refuseFile(file, folder);
    if (reason !== null) onSkipped(name, reason);
    else {
      const options = { folder: path.dirname(file), parse, onSkipped };
      const included = await resolveIncludes(
        await parse(file, readFileSync(file, "utf8")),
        options,
        depth + 1,
      );
      merged = mergeFields(merged, fieldsOf(included));
    }
  }
  const own = await Promise.all(
    Object.entries(rest).map(
      async ([name, each]) =>
        [name, await resolveIncludes(each, { folder, parse, onSkipped }, depth)] as const,
    ),
  );
  return mergeFields(merged, Object.fromEntries(own));
}

interface IncludeOptions {
  readonly folder: string;
  readonly parse: (file: string, content: string) => Promise<unknown>;
  readonly onSkipped: (name: string, reason: string) => void;
}

function refuseFile(file: string, folder: string): string | null {
  if (!`${file}${path.sep}`.startsWith(`${path.resolve(folder)}${path.sep}`)) {
    return "it is outside the folder of the configuration";
  }
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= maxBytes ? null : "it is no file of a usual size";
  } catch (error) {
    return `the system says ${systemErrorCode(error) ?? String(error)}`;
  }
}

/** The environment, with variables that the configuration itself sets if they are missing. */
export function withConfiguredVariables(value: unknown, env: Environment): Environment {
  const block = fieldsOf(fieldsOf(value)["env"]);
  const own = Object.entries({ ...block, ...fieldsOf(block["vars"]) }).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...Object.fromEntries(own), ...env };
}
