import { realpathSync } from "node:fs";
import { unlessRefused } from "../errors.ts";

/**
 * A path to this program that remains valid after an update. Homebrew has a folder for each version, which it removes
 * later, and a link to the current one; Node reports the former.
 */
export function lastingPath(file: string): string {
  const { prefix, formula, rest } =
    /^(?<prefix>.*)\/Cellar\/(?<formula>[^/]+)\/[^/]+\/(?<rest>.+)$/.exec(file)?.groups ?? {};
  if (prefix === undefined) return file;
  const link = `${prefix}/opt/${formula}/${rest}`;
  return unlessRefused(
    () => (realpathSync(link) === realpathSync(file) ? link : file),
    () => file,
  );
}
