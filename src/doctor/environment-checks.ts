import { LonghandError } from "../errors.ts";
import { type Check, type CheckGroup, type Patient, unwell, well } from "./check.ts";

export const checkEnvironment: CheckGroup = ({ node, status, proxy }) => {
  const { version, sqlite, problem } = node;
  const runtime =
    problem === null
      ? well("node", `Node ${version} on ${process.platform}`)
      : unwell("node", problem, "Install a Node that is new enough.");
  const isKnown = status !== undefined && !(status instanceof LonghandError) && !status.unavailable;
  const fts = isKnown ? status.fts : undefined;
  const database =
    fts === undefined || fts.available
      ? well("sqlite", `SQLite ${sqlite}${fts ? " with full-text search" : ""}`)
      : unwell("sqlite", `SQLite ${sqlite}: ${fts.error}`, "Use a Node that was built with its own SQLite.");
  return [runtime, database, ...(proxy === undefined ? [] : [checkProxy(proxy)])];
};

function checkProxy({ variables, isUsed }: NonNullable<Patient["proxy"]>): Check {
  const names = variables.join(", ");
  return isUsed
    ? well("proxy", `${names}: embedding services and downloads are reached through it`)
    : unwell(
        "proxy",
        `${names} is set, but this Node does not use it: services are asked directly`,
        "Set NODE_USE_ENV_PROXY=1 for the process that runs longhand, or use Node 24.15 or newer.",
      );
}
