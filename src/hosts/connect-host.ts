import { cpSync, existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { removeFolderSync } from "../rename-file.ts";
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
 * Puts what hosts need into their settings, and nothing else. All files are looked at before the first is written, so a
 * file that cannot be edited means that none is.
 */
export function connectHosts(setups: readonly HostSetup[]): ConnectedHost[] {
  for (const { copies = [] } of setups) checkCopies(copies);
  const hosts = editHosts(setups, addPart);
  for (const { copies = [] } of setups) copies.forEach(placeCopy);
  return hosts;
}

/** Fails where `connectHosts` would because of a file that cannot be edited, and writes nothing. */
export function refuseUneditable(setups: readonly HostSetup[]): void {
  for (const { copies = [] } of setups) checkCopies(copies);
  planEdits(setups, addPart);
}

const addPart: Edit = (part, text) => part.add(text);

/** Takes longhand's parts out again. A file that holds nothing else is deleted. */
export function disconnectHosts(setups: readonly HostSetup[]): ConnectedHost[] {
  const hosts = editHosts(setups, removePart);
  for (const { copies = [] } of setups) copies.forEach(removeCopy);
  return describeRemoval(setups, hosts);
}

/** What `disconnectHosts` would do; writes nothing. */
export function planRemoval(setups: readonly HostSetup[]): ConnectedHost[] {
  return describeRemoval(setups, planEdits(setups, removePart).hosts);
}

const removePart: Edit = (part, text) => {
  if (text === null) return null;
  try {
    return part.remove(text);
  } catch (error) {
    // A broken file without a word of longhand must not keep it in all others.
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

/** Each part is edited in what the parts before it have made of its file; each file is written once. */
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
  /** `absent`: the file is missing, or longhand is not in it. `partial`: something that `init` writes is missing. */
  readonly state: "connected" | "partial" | "absent" | "unusable";
  readonly detail: string;
  /** With which the host would start the server or a hook. */
  readonly commandLine: readonly string[] | null;
}

/** Looks whether longhand is in the settings of a host, and changes nothing. */
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
    // Something of another kind is where ours would go.
    if (error instanceof TypeError || error instanceof SyntaxError)
      throw refuseSettings(part.path, error.message, part.snippet);
    throw error;
  }
}

/** Refused before anything is written where the package lacks what is to be copied. */
function checkCopies(copies: readonly HostCopy[]): void {
  const missing = copies.find(({ from }) => !existsSync(from));
  if (missing === undefined) return;
  throw new LonghandError("host-config-unusable", `${missing.from} is missing in this installation.`, {
    hint: "Install longhand again. In a checkout of its repository, run: npm run build",
  });
}

/** Replaces what an earlier version has put there. */
function placeCopy({ path, from }: HostCopy): void {
  try {
    removeFolderSync(path);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(from, path, { recursive: true, dereference: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

function removeCopy({ path }: HostCopy): void {
  try {
    removeFolderSync(path);
    // The folders that were made for it go with the last of its files.
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
