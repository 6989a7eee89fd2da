import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import type { HostLink } from "./host.ts";

/** Points the link at this package; one that points elsewhere, such as at an older version, is replaced. */
export function placeLink({ path, target }: HostLink): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() && readlinkSync(path) === target) return;
    if (stats !== undefined && !stats.isSymbolicLink()) {
      throw new LonghandError("host-config-unusable", `${path} is in the way: it is no link.`, {
        hint: "Move it elsewhere, and run the same command again.",
      });
    }
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "junction");
  } catch (error) {
    throw unusable(path, error);
  }
}

export function removeLink({ path }: HostLink): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("host-config-unusable", `${path} could not be linked: the system says ${code}.`, {
    hint: "Make its folder writable, and run the same command again.",
    cause: error,
  });
}
