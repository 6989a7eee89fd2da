import assert from "node:assert/strict";
import { test } from "node:test";
import { findAddressFault } from "./postgres-address.ts";

test("An address that the PostgreSQL client accepts has no fault", () => {
  for (const address of [
    "postgresql://me:secret@db.internal/memory?sslmode=require",
    "postgres://localhost",
    "postgresql://me@[::1]/memory",
    "postgresql://db/memory?sslmode=disable",
    "postgresql://db/memory?ssl=true",
    "postgresql://me:a%20p%40ss%2Fw@127.0.0.1:5432/memory?sslmode=verify-full",
    "postgresql:///memory?host=/run/postgresql",
    "postgresql://me:secret@/memory?host=/run/postgresql",
    "postgresql://me:two words@127.0.0.1/memory",
    "socket:/run/postgresql?db=memory",
  ]) {
    assert.equal(findAddressFault(address), null, address);
  }
});

test("Every other address is refused before connecting, without showing any of it", () => {
  const faults = {
    "mysql://me:hunter2@db/memory": /postgresql:\/\//,
    "db.internal": /postgresql:\/\//,
    "postgresql://me:hunter2@db:99999999/memory": /cannot be read/,
    // Each of these ends the part that contains a password.
    "postgresql://me:hun#ter2@db/memory": /%23/,
    "postgresql://me:hun@ter2/x@db/memory": /%40/,
    "postgresql://me:hun?ter2@db/memory": /%/,
    // Nothing says whether to encrypt.
    "postgresql://me:hunter2@db/memory": /sslmode=verify-full.*sslmode=disable/,
    "postgresql://me:hunter2@10.0.0.7/memory?sslmode=allow": /sslmode=verify-full/,
    "postgresql://me:hunter2@localhost/memory?host=db.internal": /sslmode=verify-full/,
    "postgresql://me:hunter2@localhost.example.com/memory": /sslmode=verify-full/,
  };
  for (const [address, expected] of Object.entries(faults)) {
    const { message, hint } = findAddressFault(address)!;
    assert.match(`${message} ${hint}`, expected, address);
    assert.doesNotMatch(`${message} ${hint}`, /hun|ter2/, address);
  }
});
