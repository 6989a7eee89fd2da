import { LonghandError } from "../../errors.ts";
import type { ForgetPassage, ForgetRequest, ForgetResult } from "../../forget/forget.ts";
import type { Memory } from "../../memory/memory.ts";
import { sha256 } from "../../text/hash.ts";
import { forgetOutputSchema } from "../../tools/forget-tool.ts";
import { type InputOf, inputOf } from "../../tools/tool.ts";
import { defineRoute } from "../api-route.ts";

const lines = {
  path: { type: "string", minLength: 1, description: "The note." },
  startLine: { type: "integer", minimum: 1, description: "First line, from 1." },
  endLine: { type: "integer", minimum: 1, description: "Last line, inclusive." },
  text: { type: "string", description: "The lines as they were previewed." },
} as const;

const forgetInput = inputOf({
  ...lines,
  hash: {
    type: "string",
    description:
      "Instead of the text: its SHA-256 from the preview; for a whole note, the `hash` from /api/notes/source.",
  },
  query: {
    type: "string",
    minLength: 1,
    description: "What to forget, in plain words. Only with preview.",
  },
  maxResults: {
    type: "integer",
    minimum: 1,
    maximum: 200,
    description: "With query: at most this many hits.",
  },
  minScore: { type: "number", minimum: 0, maximum: 1, description: "With query: leave out weaker hits." },
  passages: {
    type: "array",
    description: "Lines of any notes, as a preview showed them.",
    items: {
      type: "object",
      properties: {
        ...lines,
        hash: { type: "string", description: "As the preview shows it; the text is compared." },
      },
      required: ["path", "startLine", "endLine", "text"],
    },
  },
  preview: { type: "boolean", description: "Only show what would be removed." },
});
type ForgetInput = InputOf<typeof forgetInput>;

export const forgetRoute = defineRoute({
  method: "POST",
  path: "/api/forget",
  summary: "Remove lines from notes, and every trace of them from the index",
  details:
    "Lines of one `path` (all of it without `startLine`: then the note is deleted), or `passages` that a preview showed. " +
    "With `preview` nothing is changed and the answer has `passages`, each with its text and hash; a `query` can only be " +
    "previewed. To remove, send the text or the hash that was seen: where the note says something else by now, nothing is " +
    "removed and the code is `note-changed`.",
  input: forgetInput,
  output: {
    description: "What was removed and what was checked, as `longhand forget --json` prints it.",
    schema: forgetOutputSchema,
  },
  changesNotes: true,
  async run({ memory, events }, input, { signal }) {
    if (input.preview) return await preview(memory, input, signal);
    const result = await memory.forget(await readSeen(memory, input));
    const paths = [...new Set(result.removed.map((each) => each.path))];
    const isListChanged = result.receipt?.notes.some(({ after }) => after === null) ?? false;
    if (paths.length > 0) events.publish({ kind: "changed", data: { paths, isListChanged } });
    return result;
  },
});

async function preview(memory: Memory, input: ForgetInput, signal: AbortSignal): Promise<ForgetResult> {
  const shown = await memory.forget({ ...readTarget(input), dryRun: true, signal });
  const isWhole = input.path !== undefined && input.startLine === undefined;
  const whole = isWhole ? await memory.readNote({ path: input.path, signal }) : null;
  const passages = shown.passages?.map((each) => ({ ...each, hash: whole?.hash ?? sha256(each.text) })) ?? [];
  return { ...shown, passages };
}

/** Parses the ranges of lines to forget, without their expected text. */
function readTarget({ path, startLine, endLine, query, passages, ...rest }: ForgetInput): ForgetRequest {
  if ([path, query, passages].filter((each) => each !== undefined).length !== 1) {
    throw refuse(
      "it needs one of path, query and passages",
      "Name a note, or say in plain words what to look for.",
    );
  }
  if (passages) {
    return {
      passages: passages.map(({ path, startLine, endLine, text }) => ({ path, startLine, endLine, text })),
    };
  }
  if (query !== undefined) {
    const { maxResults, minScore } = rest;
    return {
      query,
      words: "any",
      ...(maxResults === undefined ? {} : { maxResults }),
      ...(minScore === undefined ? {} : { minScore }),
    };
  }
  if (startLine === undefined && endLine === undefined) return { path: path! };
  if (startLine === undefined) throw refuse("it has an endLine but no startLine", "Send both.");
  if (endLine !== undefined && endLine < startLine) {
    throw refuse("its endLine comes before its startLine", "Send the first line and then the last.");
  }
  return { path: path!, startLine, endLine: endLine ?? startLine };
}

/** Nothing is removed that the caller has not seen. */
async function readSeen(memory: Memory, input: ForgetInput): Promise<ForgetRequest> {
  const target = readTarget(input);
  if ("passages" in target) return target;
  if ("query" in target) {
    throw refuse("a query alone removes nothing", "Send it with preview, then the passages that should go.");
  }
  if (input.text !== undefined) return { ...target, text: input.text };
  if (input.hash === undefined) {
    throw refuse(
      "it has neither the text nor the hash of the lines",
      "Send the text or the hash that the preview showed.",
    );
  }
  const shown = await preview(memory, input, AbortSignal.timeout(60_000));
  const [passage] = (shown.passages ?? []) as (ForgetPassage & { hash: string })[];
  if (passage === undefined || passage.hash !== input.hash) {
    throw new LonghandError(
      "note-changed",
      `${input.path} was not changed: its content is no longer what was previewed.`,
      {
        hint: "Preview again, and repeat the request with the current hash.",
      },
    );
  }
  return { ...target, text: passage.text };
}

function refuse(why: string, hint: string): LonghandError {
  return new LonghandError("request-invalid", `POST /api/forget was not run: ${why}.`, { hint });
}
