import assert from "node:assert/strict";
import { test } from "node:test";
import { createEveryWordCheck } from "./choose-edits.ts";

test("Every word of the question has to be there, in whatever form; those that only ask do not count", () => {
  const hasAll = createEveryWordCheck("What are the phone numbers of Anna?");
  assert.ok(hasAll("- Anna's phone number is 555-0100"));
  assert.ok(hasAll("ANNA: new number for the phones"));
  assert.ok(!hasAll("- Anna moved to Oslo"));
  assert.ok(!hasAll("- The phone number of Ben is 555-0101"));
  assert.ok(!hasAll(""));
});

test("Identifiers and scripts without blanks are words too", () => {
  assert.ok(createEveryWordCheck("maxResults")("set `maxResults` to 6"));
  assert.ok(createEveryWordCheck("東京タワー")("昨日は東京タワーに行った"));
  assert.ok(!createEveryWordCheck("東京タワー")("昨日は京都に行った"));
});
