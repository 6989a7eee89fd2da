import { cpSync, existsSync, readdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { makeFolder, removeFolderSync } from "../files.ts";
import type { HostCopy, HostPart, HostSetup } from "./host.ts";
import type { HostName } from "./host-list.ts";
import { refuseSettings } from "./json-settings.ts";
import { deleteFile, readSettings, refuseReadOnly, replaceFile } from "./settings-file.ts";

export interface ConnectedPart {
  readonly path: string;
  readonly purpose: HostPart["purpose"];
  readonly state: "created" | "changed" | "unchanged" | "removed";
  readonly snippet: string;
}

export interface ConnectedHost {
  readonly host: HostName;
  readonly parts: readonly ConnectedPart[];
  readonly steps: readonly string[];
}

/**
 * Adds what hosts need to their settings, and nothing else. All files are checked before the first is written: if one
 * cannot be edited, none is.
 */
export function connectHosts(setups: readonly HostSetup[]): ConnectedHost[] {
  for (const { copies = [] } of setups) checkCopies(copies);
  const hosts = editHosts(setups, addPart);
  for (const { copies = [] } of setups) copies.forEach(placeCopy);
  return hosts;
}

/** Fails if `connectHosts` would because of a file that cannot be edited, and writes nothing. */
export function refuseUneditable(setups: readonly HostSetup[]): void {
  for (const { copies = [] } of setups) checkCopies(copies);
  planEdits(setups, addPart);
}

const addPart: Edit = (part, text) => part.add(text);

/** Removes longhand's parts. A file with nothing else in it is deleted. */
export function disconnectHosts(setups: readonly HostSetup[]): ConnectedHost[] {
  const hosts = editHosts(setups, removePart);
  for (const { copies = [] } of setups) copies.forEach(removeCopy);
  return describeRemoval(setups, hosts);
}

/** A dry run of `disconnectHosts`. */
export function planRemoval(setups: readonly HostSetup[]): ConnectedHost[] {
  return describeRemoval(setups, planEdits(setups, removePart).hosts);
}

const removePart: Edit = (part, text) => {
  if (text === null) return null;
  try {
    return part.remove(text);
  } catch (error) {
    // A broken file that does not mention longhand must not keep it in all others.
    if (!/longhand|cli[\\/]+bin\.[jt]s/.test(text)) return text;
    const message =
      error instanceof LonghandError ? error.message : `${part.path} cannot be edited: ${messageOf(error)}.`;
    throw new LonghandError("host-config-unusable", message, {
      hint: "No file was changed. Correct it and try again, or take longhand out of it by hand.",
      cause: error,
    });
  }
};

function describeRemoval(setups: readonly HostSetup[], hosts: readonly ConnectedHost[]): ConnectedHost[] {
  return hosts.map((host, index) => ({
    ...host,
    parts: host.parts.map((part) => ({ ...part, state: part.state === "changed" ? "removed" : part.state })),
    steps: setups[index]!.stepsAfterRemoval ?? [],
  }));
}

type Edit = (part: HostPart, text: string | null) => string | null;

/** Each part edits the text that the previous parts produced; each file is written once. */
function editHosts(setups: readonly HostSetup[], edit: Edit): ConnectedHost[] {
  const { hosts, changed } = planEdits(setups, edit);
  for (const [path, { before, after }] of changed) {
    if (after === null) deleteFile(path, before);
    else replaceFile(path, after, before);
  }
  return hosts;
}

interface EditedText {
  readonly before: string | null;
  after: string | null;
}

function planEdits(
  setups: readonly HostSetup[],
  edit: Edit,
): { hosts: ConnectedHost[]; changed: [string, EditedText][] } {
  const texts = new Map<string, EditedText>();
  const hosts = setups.map(({ name, parts, steps }) => ({
    host: name,
    steps,
    parts: parts.map((part): ConnectedPart => {
      const { path, purpose, snippet } = part;
      if (!texts.has(path)) {
        const before = readSettings(part);
        texts.set(path, { before, after: before });
      }
      const file = texts.get(path)!;
      const was = file.after;
      file.after = editText(part, was, edit);
      const state = file.after === was ? "unchanged" : file.before === null ? "created" : "changed";
      return { path, purpose, snippet, state };
    }),
  }));
  const changed = [...texts].filter(([, { before, after }]) => after !== before);
  for (const [path] of changed) refuseReadOnly(path);
  return { hosts, changed };
}

export interface HostCheck {
  readonly path: string;
  readonly purpose: HostPart["purpose"];
  /** `absent`: the file is missing, or longhand is not in it. `partial`: part of what `init` writes is missing. */
  readonly state: "connected" | "partial" | "absent" | "unusable";
  readonly detail: string;
  /** The command with which the host would start the server or a hook. */
  readonly commandLine: readonly string[] | null;
}

/** Checks whether longhand is in the settings of a host, and changes nothing. */
export function checkHost({ title, parts }: HostSetup): HostCheck[] {
  return parts.map((part) => {
    const { path, purpose } = part;
    const check = (state: HostCheck["state"], detail: string, text?: string): HostCheck => ({
      path,
      purpose,
      state,
      detail,
      commandLine: text === undefined ? null : (part.commandLine?.(text) ?? null),
    });
    try {
      const text = readSettings(part);
      const isThere = text !== null && editText(part, text, () => part.remove(text)) !== text;
      if (!isThere) return check("absent", `${title} has no ${purpose} for longhand in ${path}`);
      const isWhole = editText(part, text, () => part.add(text)) === text;
      return isWhole
        ? check("connected", `${title} has the ${purpose} in ${path}`, text)
        : check("partial", `${title} has only a part of the ${purpose} in ${path}`, text);
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
      return check("unusable", error.message);
    }
  });
}

function editText(part: HostPart, text: string | null, edit: Edit): string | null {
  try {
    return edit(part, text);
  } catch (error) {
    // Something of another kind is in the place of our file.
    if (error instanceof TypeError || error instanceof SyntaxError)
      throw refuseSettings(part.path, error.message, part.snippet);
    throw error;
  }
}

/** Refused before anything is written if the package lacks the files to copy. */
function checkCopies(copies: readonly HostCopy[]): void {
  const missing = copies.find(({ from }) => !existsSync(from));
  if (missing === undefined) return;
  throw new LonghandError("host-config-unusable", `${missing.from} is missing in this installation.`, {
    hint: "Install longhand again. In a checkout of its repository, run: npm run build",
  });
}

/** Replaces files of an earlier version. */
function placeCopy({ path, from }: HostCopy): void {
  try {
    removeFolderSync(path);
    makeFolder(dirname(path));
    cpSync(from, path, { recursive: true, dereference: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

function removeCopy({ path }: HostCopy): void {
  try {
    removeFolderSync(path);
    // Folders that were created for the file are removed with the last file in them.
    for (const folder of [dirname(path), dirname(dirname(path))])
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("host-config-unusable", `${path} could not be written: the system says ${code}.`, {
    hint: "Make its folder writable, and run the same command again.",
    cause: error,
  });
}
