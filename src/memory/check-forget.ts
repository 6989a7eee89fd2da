import { LonghandError } from "../errors.ts";
import type { ForgetPassage, ForgetRequest } from "../forget/forget.ts";
import { checkOptions, type Shape } from "./check-options.ts";

const passage: Shape<ForgetPassage> = {
  path: { kind: "a string", needed: "the path of a note" },
  startLine: { kind: "a number", needed: "the first line, from 1" },
  endLine: { kind: "a number", needed: "the last line, inclusive" },
  text: { kind: "a string", needed: "the lines as a dryRun showed them" },
};

const ways = ["path", "query", "passages"] as const;

/**
 * A request must say in one way what is to go: of two, one would be ignored, and a query that seems limited to a note
 * would remove lines of all of them. One that is undefined counts: without it, a path would delete its whole note.
 */
export function checkForget(request: ForgetRequest | undefined): void {
  const given = (request ?? {}) as Readonly<Record<string, unknown>>;
  const named = ways.filter((way) => way in given);
  if (named.length !== 1 || given[named[0]!] === undefined) {
    const what = named.map((way) => (given[way] === undefined ? `an undefined ${way}` : way));
    const why = named.length === 0 ? "it has none" : `it has ${what.join(" and ")}`;
    throw new LonghandError(
      "not-supported",
      `forget needs exactly one of its options path, query and passages; ${why}.`,
      {
        hint: "path names one note or lines of it, query finds lines in all notes, passages come from a dryRun.",
      },
    );
  }
  const { passages } = given;
  if (Array.isArray(passages)) {
    for (const each of passages) checkOptions("A passage of forget", passage, each ?? {});
  }
}
