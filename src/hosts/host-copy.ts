import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import type { HostCopy } from "./host.ts";

/** Refused before anything is written where the package lacks what is to be copied. */
export function checkCopies(copies: readonly HostCopy[]): void {
  const missing = copies.find(({ from }) => !existsSync(from));
  if (missing === undefined) return;
  throw new LonghandError("host-config-unusable", `${missing.from} is missing in this installation.`, {
    hint: "Install longhand again. In a checkout of its repository, run: npm run build",
  });
}

/** Replaces what an earlier version has put there. */
export function placeCopy({ path, from }: HostCopy): void {
  try {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    cpSync(from, path, { recursive: true, dereference: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

export function removeCopy({ path }: HostCopy): void {
  try {
    rmSync(path, { recursive: true, force: true });
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
