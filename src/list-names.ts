import { readdirSync } from "node:fs";
import { systemErrorCode } from "./errors.ts";

/** The names in a folder; none if it cannot be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
