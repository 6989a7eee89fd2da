import { LonghandError } from "../errors.ts";
import { type CheckGroup, unwell, well } from "./check.ts";

export const checkEnvironment: CheckGroup = ({ node, status }) => {
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
  return [runtime, database];
};
