import { readFileSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { isFolder } from "../paths.ts";
import { quote } from "../text/value-rule.ts";
import { checkConfig, configError } from "./check.ts";
import { homeOf } from "./expand-path.ts";
import type { Layer } from "./merge.ts";
import {
  isOpenclawFile,
  looksLikeOpenclaw,
  resolveIncludes,
  withConfiguredVariables,
} from "./openclaw/openclaw-file.ts";
import type { OpenclawSettings } from "./openclaw/translate-openclaw.ts";
import { configOptions, type PartialConfig } from "./options.ts";
import type { Environment } from "./variables.ts";

/** Configurations are written by hand; a larger file is something else. */
const MAX_BYTES = 1024 * 1024;

interface LoadRequest {
  /** Absolute. */
  readonly path: string;
  /** The file was named explicitly, so it has to exist. */
  readonly named: boolean;
  readonly env: Environment;
  /** Text to use instead of the file's, to try a change before it is written. */
  readonly content?: string | undefined;
}

/** The validated configuration file; null if it does not exist and is not required. */
export async function loadConfigFile(request: LoadRequest): Promise<Layer | null> {
  const { path: file, named, env } = request;
  const content = request.content ?? readConfigFile(file, named);
  if (content === null) return null;
  const value = content.trim() === "" ? {} : await parseJson5(file, content);
  // In a configuration of OpenClaw, everything but its memory settings is ignored.
  const openclaw =
    isOpenclawFile(file) || looksLikeOpenclaw(value)
      ? await readOpenclawConfig(file, { value, env, keys: "keep" })
      : null;
  const { values, problems, variables } = checkConfig({
    options: configOptions,
    value: openclaw?.values ?? value,
    env: openclaw?.env ?? env,
  });
  if (problems.length > 0) throw configError(file, problems);
  return {
    values,
    baseDir: path.dirname(file),
    originOf: (key) => ({
      from: "file",
      path: file,
      key: openclaw?.writtenAs(key) ?? key,
      variables: variablesUnder(variables, key),
    }),
    ...(openclaw && { left: openclaw.left }),
  };
}

interface OpenclawConfigRequest {
  /** The content of the file, if it has already been read. */
  readonly value?: unknown;
  readonly env?: Environment;
  /** The folder of the file, if absent. */
  readonly stateDir?: string;
  readonly keys: "keep" | "leave";
}

/** Reads a configuration of OpenClaw with all its includes, and translates it. */
export async function readOpenclawConfig(
  file: string,
  { value, env = process.env, stateDir = path.dirname(file), keys }: OpenclawConfigRequest,
): Promise<OpenclawSettings & { readonly env: Environment }> {
  const notIncluded: { key: string; reason: string }[] = [];
  const whole = await resolveIncludes(value ?? (await parseJson5(file, readConfigFile(file, true)!)), {
    folder: path.dirname(file),
    parse: parseJson5,
    onSkipped: (name, reason) => notIncluded.push({ key: `$include ${quote(name)}`, reason }),
  });
  const withOwn = withConfiguredVariables(whole, env);
  const { translateOpenclaw } = await import("./openclaw/translate-openclaw.ts");
  const translated = translateOpenclaw({
    value: whole,
    stateDir,
    home: homeOf(env),
    exists: isFolder,
    keys,
    env: keys === "keep" ? withOwn : null,
  });
  return { ...translated, left: [...notIncluded, ...translated.left], env: withOwn };
}

/** Values from a caller, in the shape of the file. `${NAME}` is not expanded: a program can do that itself. */
export function callerLayer(overrides: PartialConfig | undefined, baseDir: string): Layer {
  const { values, problems } = checkConfig({ options: configOptions, value: overrides ?? {}, env: null });
  if (problems.length > 0) throw configError("the given options", problems);
  return { values, baseDir, originOf: (key) => ({ from: "caller", key }) };
}

function readConfigFile(file: string, named: boolean): string | null {
  // The usual way to say "no configuration at all".
  if (file === os.devNull) return "";
  try {
    const stat = statSync(file);
    // Reading a pipe could block forever.
    if (!stat.isFile()) throw unreadable(file, "it is not a regular file");
    if (stat.size > MAX_BYTES) throw unreadable(file, `it has ${stat.size} bytes, more than ${MAX_BYTES}`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof LonghandError) throw error;
    if (error instanceof TypeError) throw unreadable(file, "it is not UTF-8 text");
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" && !named) return null;
    if (!named) throw unreadable(file, `the system says ${code}`, unreachableHint);
    throw unreadable(file, code === "ENOENT" ? "it does not exist" : `the system says ${code}`);
  }
}

async function parseJson5(file: string, content: string): Promise<unknown> {
  try {
    // Valid JSON has the same meaning in JSON5, and needs no other parser to be loaded.
    return JSON.parse(content);
  } catch {
    // It may still be JSON5; if not, that parser reports the position of the error.
  }
  const { default: json5 } = await import("json5");
  try {
    return json5.parse(content);
  } catch (error) {
    const { message, lineNumber, columnNumber } = error as Error & {
      lineNumber?: number;
      columnNumber?: number;
    };
    if (lineNumber === undefined || columnNumber === undefined) throw error;
    const { line, column } = shownPosition(content, lineNumber, columnNumber);
    const what = message.replace(/^JSON5: /, "").replace(/ at \d+:\d+$/, "");
    const hasSingleBackslash = /\\[ux]/.test(content.split("\n")[line - 1] ?? "");
    const advice = hasSingleBackslash
      ? "write paths with slashes, or each backslash twice"
      : "a comma, quote or brace is often missing";
    throw new LonghandError(
      "config-invalid",
      `Cannot read the configuration ${file}: line ${line}, column ${column}: ${what}.`,
      { hint: `Correct the JSON5 at ${file}:${line}:${column}; ${advice}.` },
    );
  }
}

/** The parser reports an unexpected end of line at column 0 of the next line; people look for it where it is. */
function shownPosition(content: string, line: number, column: number): { line: number; column: number } {
  if (column > 0) return { line, column };
  const before = content.split("\n")[line - 2]?.replace(/\r$/, "") ?? "";
  return { line: line - 1, column: before.length + 1 };
}

const namedHint = "Give the path of a JSON5 file with --config or LONGHAND_CONFIG, or leave both out.";
const unreachableHint =
  "Make its folder and the file readable for you, or use another folder with --state-dir.";

function unreadable(file: string, reason: string, hint = namedHint): LonghandError {
  return new LonghandError("config-invalid", `Cannot read the configuration ${file}: ${reason}.`, { hint });
}

/** A list is one value to the user, but its items are expanded one by one. */
function variablesUnder(variables: ReadonlyMap<string, readonly string[]>, key: string): readonly string[] {
  const used = [...variables].filter(([name]) => name === key || name.startsWith(`${key}[`));
  return [...new Set(used.flatMap(([, names]) => names))];
}
