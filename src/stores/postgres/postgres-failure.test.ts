import assert from "node:assert/strict";
import { test } from "node:test";
import type { LonghandError } from "../../errors.ts";
import { classifyFailure, explainFailure } from "./postgres-failure.ts";

const failing = (code: string, message = "it failed") => Object.assign(new Error(message), { code });

test("failures are classified by their remedy", () => {
  const kinds = {
    unreachable: [
      failing("ECONNREFUSED"),
      failing("57P01"),
      failing("57P03"),
      failing("08006"),
      failing("53300"),
      new AggregateError([failing("ECONNREFUSED")]),
      new Error("Connection terminated unexpectedly"),
      new Error("timeout exceeded when trying to connect"),
      failing("25P03", "terminating connection due to idle-in-transaction timeout"),
    ],
    "read-only": [failing("25006", "cannot execute INSERT in a read-only transaction")],
    conflict: [failing("40001"), failing("40P01")],
    slow: [failing("57014"), failing("55P03")],
    refused: [
      failing("28P01"),
      failing("3D000"),
      failing("42501"),
      failing("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"),
      failing("ERR_TLS_CERT_ALTNAME_INVALID"),
      failing("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
      new Error("The server does not support SSL connections"),
      new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
      Object.assign(failing("ENOENT"), { path: "ca.crt" }),
    ],
    full: [failing("53100"), failing("53200")],
    other: [failing("42P01"), new Error("something else"), "no error at all"],
  };
  for (const [kind, errors] of Object.entries(kinds)) {
    for (const error of errors) assert.equal(classifyFailure(error), kind, String(error));
  }
});

test("an error names the address, whether to retry, and what to do", () => {
  const told = (error: unknown) => explainFailure(error, "postgresql://host/db") as LonghandError;
  assert.deepEqual(
    [
      told(failing("ECONNREFUSED")),
      told(failing("28P01")),
      told(failing("57014")),
      told(failing("53100")),
      told(failing("25006")),
    ].map(({ code, retryable }) => [code, retryable]),
    [
      ["store-unreachable", true],
      ["store-refused", false],
      ["index-busy", true],
      ["index-unusable", true],
      ["index-unusable", true],
    ],
  );
  assert.match(
    told(failing("28P01", "password authentication failed")).message,
    /postgresql:\/\/host\/db refused/,
  );
  const tls = told(failing("SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain"));
  assert.equal(tls.code, "store-refused");
  assert.match(tls.hint ?? "", /sslrootcert/);
  const fault = failing("42P01");
  assert.equal(told(fault), fault);
});

test("each kind of refusal has its own hint", () => {
  const hintFor = (error: unknown) => (explainFailure(error, "postgresql://host/db") as LonghandError).hint;
  assert.match(hintFor(failing("28P01")), /user and password/);
  assert.match(hintFor(failing("3D000")), /createdb/);
  assert.match(hintFor(failing("42501")), /GRANT CREATE ON DATABASE/);
  assert.match(hintFor(new Error("SASL: client password must be a string")), /PGPASSWORD/);
  assert.match(hintFor(new Error("The server does not support SSL connections")), /ssl = on/);
  assert.match(hintFor(failing("ERR_TLS_CERT_ALTNAME_INVALID")), /name/);
  assert.match(hintFor(Object.assign(failing("ENOENT"), { path: "ca.crt" })), /sslrootcert/);
  assert.match(hintFor(failing("57014")), /statement_timeout/);
  assert.match(hintFor(failing("25006")), /replica/);
});
