import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./language.ts";

test("The language of a text follows from its script", () => {
  assert.equal(languageOf("短信签名必须提前报备"), "zh");
  assert.equal(languageOf("神戸の桟橋は十月に直る"), "ja");
  assert.equal(languageOf("부산 항구 meeting"), "ko");
  assert.equal(languageOf("会議は API の変更について"), "ja");
  assert.equal(languageOf("Lunch with 田中さん at noon, then the review of the budget"), undefined);
  assert.equal(languageOf("12:30 – 14:00"), undefined);
  assert.equal(languageOf("Ω, ж and ü need no other font"), undefined);
});
