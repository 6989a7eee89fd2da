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
 * The request with nothing undefined in it. It must say in one way what is to go: of two, one would be ignored, and a
 * query that seems limited to a note would remove lines of all of them.
 */
export function readForgetRequest(given: ForgetRequest | undefined): ForgetRequest {
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined;
  const request: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(given ?? {}).filter(isGiven),
  );
  const named = ways.filter((way) => way in request);
  if (named.length !== 1) {
    const why = named.length === 0 ? "it has none" : `it has ${named.join(" and ")}`;
    throw new LonghandError(
      "not-supported",
      `forget needs exactly one of its options path, query and passages; ${why}.`,
      {
        hint: "path names one note or lines of it, query finds lines in all notes, passages come from a dryRun.",
      },
    );
  }
  const { passages } = request;
  if (Array.isArray(passages)) {
    for (const each of passages) checkOptions("A passage of forget", passage, each ?? {});
  }
  return request as unknown as ForgetRequest;
}
