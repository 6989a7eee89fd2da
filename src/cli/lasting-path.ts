import { realpathSync } from "node:fs";
import { unlessRefused } from "../errors.ts";

/**
 * A path of this program that survives its next update. Homebrew has a folder for each version, which it removes later,
 * and a link to the current one; Node says the former where it is.
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
