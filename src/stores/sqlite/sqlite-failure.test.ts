import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../../errors.ts";
import {
  classifyFailure,
  DamagedContent,
  DamagedVectors,
  ExchangedFile,
  explainFailure,
  type FailureKind,
  isDiskError,
  isFullTextDamage,
  isStatementError,
} from "./sqlite-failure.ts";

/** An error of node:sqlite. */
const sqlite = (errcode: number) => Object.assign(new Error("SQLite says no"), { errcode });
const system = (code: string) => Object.assign(new Error("the system says no"), { code });

test("a failure is classified by its number, and only damage leads to a rebuild", () => {
  const kinds: readonly (readonly [unknown, FailureKind])[] = [
    // SQLITE_CORRUPT, SQLITE_CORRUPT_VTAB, SQLITE_NOTADB, SQLITE_IOERR_SHORT_READ
    ...[11, 267, 26, 522].map((code) => [sqlite(code), "damaged"] as const),
    [new DamagedContent(), "damaged"],
    [new DamagedVectors(), "damaged"],
    [system("ERR_OUT_OF_RANGE"), "damaged"],
    // SQLITE_READONLY_DBMOVED, SQLITE_IOERR_DELETE_NOENT
    ...[1032, 5898].map((code) => [sqlite(code), "moved"] as const),
    [new ExchangedFile(), "moved"],
    // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_BUSY_SNAPSHOT
    ...[5, 6, 517].map((code) => [sqlite(code), "busy"] as const),
    // SQLITE_PERM, NOMEM, READONLY, IOERR, FULL, CANTOPEN, IOERR_READ
    ...[3, 7, 8, 10, 13, 14, 266].map((code) => [sqlite(code), "unusable"] as const),
    // SQLITE_ERROR, SQLITE_CONSTRAINT
    ...[1, 19].map((code) => [sqlite(code), "other"] as const),
    ...[new TypeError("a fault"), system("ENOENT"), null, undefined, "text"].map(
      (error) => [error, "other"] as const,
    ),
  ];
  for (const [error, kind] of kinds) {
    const { errcode } = (error ?? {}) as { errcode?: number };
    assert.equal(classifyFailure(error), kind, String(errcode ?? error));
  }
});

test("disk errors, full-text damage and statement errors are distinguished", () => {
  const kindOf = (code: number) =>
    [isDiskError, isFullTextDamage, isStatementError].map((is) => is(sqlite(code)));
  assert.deepEqual(kindOf(266), [true, false, false]);
  assert.deepEqual(kindOf(267), [false, true, false]);
  assert.deepEqual(kindOf(1), [false, false, true]);
  assert.deepEqual(kindOf(257), [false, false, true]);
  assert.deepEqual(kindOf(11), [false, false, false]);
  assert.deepEqual(
    [isDiskError, isFullTextDamage, isStatementError].map((is) => is(new Error("no number"))),
    [false, false, false],
  );
});

test("the caller learns what failed, whether to try again, and what to do", () => {
  const cases = [
    [sqlite(5), "index-busy", true, /Another process is writing/],
    [sqlite(1032), "index-busy", true, /was replaced while it was in use/],
    [sqlite(13), "index-unusable", false, /The disk is full/],
    [sqlite(8), "index-unusable", false, /Make a\/b\.sqlite and its folder writable/],
    [sqlite(14), "index-unusable", false, /is a file in a folder you may write to/],
    [sqlite(3), "index-unusable", false, /is a file in a folder you may write to/],
    [sqlite(7), "index-unusable", false, /too little free memory/],
    [sqlite(10), "index-unusable", false, /disk or file system reported an error/],
    [sqlite(11), "index-unusable", false, /longhand status --fix/],
    [system("ENOTDIR"), "index-unusable", false, /is in a folder you may write to/],
    [new TypeError("a fault"), "internal", false, /Please report this/],
  ] as const;
  for (const [error, code, retryable, hint] of cases) {
    const explained = explainFailure(error, "open", "a/b.sqlite") as LonghandError;
    assert.deepEqual([explained.code, explained.retryable], [code, retryable], String(hint));
    assert.match(explained.hint, hint);
    assert.equal(explained.message, `Could not open the index a/b.sqlite: ${error.message}.`);
    assert.equal(explained.cause, error);
  }
  const known = new LonghandError("note-unreadable", "Known.", { hint: "Read." });
  assert.equal(explainFailure(known, "open", "a"), known);
});
