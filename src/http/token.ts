import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder, removeFileSync } from "../files.ts";

interface TokenOwner {
  readonly agentId: string;
  /** The agent was given on the command line, or is one of several in the configuration. */
  readonly isNamed: boolean;
}

/**
 * Each named agent has its own token, which gives no access to the others. `http-token` is the token of `main`, of a
 * configuration with one agent, and of folders without a configured agent.
 */
export function tokenPath(stateDir: string, { agentId, isNamed }: TokenOwner): string {
  return isNamed ? join(stateDir, "http-tokens", agentId) : join(stateDir, "http-token");
}

/** The token in this file, created if missing. Only its owner can read the file. */
export function openToken(path: string): string {
  try {
    makeFolder(dirname(path), 0o700);
    return (
      readToken(path) ??
      makeToken(path) ??
      readToken(path) ??
      refuse(path, "it was removed while it was made")
    );
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return refuse(path, code, error);
  }
}

function readToken(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return refuse(path, "it is not a regular file");
    const user = process.getuid?.();
    // The owner can read the file whatever its mode. The administrator may act for anyone.
    if (user !== undefined && user !== 0 && stats.uid !== user) refuse(path, "it belongs to another user");
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    const token = readWhole(file);
    return /^[\w.~+/=-]{16,}$/.test(token)
      ? token
      : refuse(path, "it does not hold a token of 16 characters or more");
  } finally {
    closeSync(file);
  }
}

/** Null if another process created it a moment before. Linked into place, so that no process reads a partial file. */
function makeToken(path: string): string | null {
  const token = randomBytes(32).toString("base64url");
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(draft, `${token}\n`, { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, path);
    return token;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return code === "EEXIST" ? null : makeInPlace(path, token);
  } finally {
    removeFileSync(draft);
  }
}

/** For file systems without hard links, such as exFAT. A reader that finds the file empty waits for its content. */
function makeInPlace(path: string, token: string): string | null {
  try {
    writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    return token;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return null;
    throw error;
  }
}

/** Another process may have created the file without having written to it yet. */
function readWhole(file: number): string {
  for (let pauseMs = 1; pauseMs <= longestPauseMs; pauseMs *= 2) {
    if (fstatSync(file).size > 0) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  return readFileSync(file, "utf8").trim();
}

const longestPauseMs = 128;

function refuse(path: string, reason: string, cause?: unknown): never {
  throw new LonghandError("token-unusable", `The token file ${path} cannot be used: ${reason}.`, {
    hint: "Delete it to create a new one, or repair its folder's permissions.",
    cause,
  });
}
