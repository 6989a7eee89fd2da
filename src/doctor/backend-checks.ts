import { LonghandError } from "../errors.ts";
import { type CheckGroup, unwell, well } from "./check.ts";

/** The program that answers searches instead of longhand itself: found, new enough, answering. */
export const checkBackend: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError || status.qmd === undefined) return [];
  const { version, detail, problem, documents, answeredInMs } = status.qmd;
  if (problem !== undefined) {
    const fix =
      "Install it with: npm install -g @tobilu/qmd. Or name it in memory.qmd.command, " +
      'or set memory.backend to "builtin".';
    return [unwell("qmd", `${problem}; the builtin engine answers`, fix)];
  }
  const answered =
    answeredInMs === undefined
      ? "nothing indexed yet"
      : `${documents} documents, answered in ${answeredInMs} ms`;
  return [well("qmd", `version ${version}, ${detail}, ${answered}`)];
};
