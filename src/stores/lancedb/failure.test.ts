import assert from "node:assert/strict";
import { test } from "node:test";
import type { LonghandError } from "../../errors.ts";
import { classifyFailure, explainFailure } from "./failure.ts";

const source = "/usr/local/cargo/registry/src/lance-io-8.0.0/src/local.rs:133:40";
const messages = {
  gone: `Failed to get next batch from stream: lance error: Not found: tmp/x/chunks.lance/data/01.lance, ${source}`,
  damaged: `lance error: Encountered corrupt file x.manifest: Invalid format: magic number does not match, ${source}`,
  busy: `lance error: Too many concurrent writers. Commit conflict for version 7, ${source}`,
  unusable: `lance error: LanceError(IO): Permission denied (os error 13), ${source}`,
  unreachable: `lance error: LanceError(IO): Generic S3 error: Error performing GET http://127.0.0.1:9/memory - HTTP error: error sending request, ${source}`,
  refused: `lance error: LanceError(IO): Generic S3 error: Error performing GET http://127.0.0.1:9/memory - Server returned non-2xx status code: 403 Forbidden, ${source}`,
  other: "something else",
};

test("Failures of LanceDB are classified by their messages", () => {
  for (const [kind, message] of Object.entries(messages)) {
    assert.equal(classifyFailure(new Error(message)), kind, message);
  }
});

test("An error names the place and the reason, without places in the source of LanceDB, and a next action", () => {
  for (const message of Object.values(messages)) {
    const error = explainFailure(new Error(message), "read", "/state/x.lance") as LonghandError;
    assert.match(error.message, /^Could not read the index \/state\/x\.lance: [^\n]+\.$/);
    assert.doesNotMatch(error.message, /\.rs:|Failed to get/);
    assert.notEqual(error.hint, "");
  }
  assert.equal((explainFailure(new Error(messages.busy), "x", "y") as LonghandError).retryable, true);
});
