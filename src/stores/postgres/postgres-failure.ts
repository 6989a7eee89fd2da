import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";

/**
 * - `unreachable`: no connection, or a broken one: the server restarts, fails over, is full or down. Retrying may help.
 * - `conflict`: the attempt conflicted with another one. Retrying will help.
 * - `slow`: a timeout.
 * - `read-only`: the server refuses writes: a replica, or a setting. Right after a failover retrying may help.
 * - `refused`: a password, a database or a privilege is missing. Retrying does not help.
 * - `full`: the server has no disk or memory left.
 * - `other`: everything else, including bugs of ours.
 */
export type FailureKind = "unreachable" | "conflict" | "slow" | "read-only" | "refused" | "full" | "other";

const kindsBySqlState: Readonly<Record<string, FailureKind>> = {
  "08": "unreachable",
  "28": "refused",
  "53": "full",
  "53300": "unreachable",
  "40001": "conflict",
  "40P01": "conflict",
  "55P03": "slow",
  "57014": "slow",
  "57P01": "unreachable",
  "57P02": "unreachable",
  "57P03": "unreachable",
  "57P05": "unreachable",
  "3D000": "refused",
  "42501": "refused",
  "25006": "read-only",
  // The server closed the connection, as it does with idle ones.
  "25P03": "unreachable",
};

/** The client has no codes for these. */
const lostConnection =
  /connection (?:terminated|ended|timeout)|timeout (?:expired|exceeded)|not queryable|read timeout|socket/i;

/**
 * The client fails before it asks the server: a password is required and missing, or a file named in the address cannot
 * be read.
 */
const noPassword = /client password must be/;
const isAboutFile = (error: unknown): boolean =>
  typeof (error as { path?: unknown } | null)?.path === "string" && systemErrorCode(error) !== undefined;

/** Only one side uses encryption, or the certificate is not trusted. */
const isAboutTls = (error: unknown): boolean => {
  const { code = "", message = "" } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    /CERT|SIGNATURE|_CRL|ERR_(?:TLS|SSL|OSSL)/.test(String(code)) || /\bSSL connection/.test(String(message))
  );
};

/** Two sessions changed the same table or privilege at once, for which the server has no error code. */
const catalogConflict = /^tuple concurrently (?:updated|deleted)/;

export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof AggregateError) return classifyFailure(error.errors[0]);
  if (isAboutTls(error) || isAboutFile(error)) return "refused";
  if (systemErrorCode(error) !== undefined) return "unreachable";
  const code = sqlStateOf(error);
  if (code === "XX000" && catalogConflict.test((error as Error).message)) return "conflict";
  if (code !== undefined) return kindsBySqlState[code] ?? kindsBySqlState[code.slice(0, 2)] ?? "other";
  if (!(error instanceof Error)) return "other";
  if (noPassword.test(error.message)) return "refused";
  return lostConnection.test(error.message) ? "unreachable" : "other";
}

/** The five-character SQLSTATE of a server error. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The error for the caller. `place` is the address without credentials. */
export function explainFailure(error: unknown, place: string): unknown {
  if (error instanceof LonghandError) return error;
  const detail = describeError(error);
  switch (classifyFailure(error)) {
    case "unreachable":
      return new LonghandError("store-unreachable", `Could not reach the database ${place}: ${detail}.`, {
        hint: "Check that the server runs and that store.url is right; then try again. Notes can be read and written meanwhile, and a later sync indexes them.",
        retryable: true,
        cause: error,
      });
    case "slow":
    case "conflict":
      return explainBusy(error, place, detail);
    case "read-only":
      return new LonghandError("index-unusable", `The database ${place} takes no changes: ${detail}.`, {
        hint: "It may be a replica: name the primary in store.url. Or default_transaction_read_only is set for the role or the database. What is indexed can be searched meanwhile, and notes can be written.",
        retryable: true,
        cause: error,
      });
    case "refused":
      return new LonghandError("store-refused", `The database ${place} refused: ${detail}.`, {
        hint: adviseRefused(error),
        cause: error,
      });
    case "full":
      return new LonghandError("index-unusable", `The database ${place} has no room: ${detail}.`, {
        hint: "Give the server disk or memory, then sync again. The notes are untouched.",
        retryable: true,
        cause: error,
      });
    default:
      return error;
  }
}

function explainBusy(error: unknown, place: string, detail: string): LonghandError {
  const more = { retryable: true, cause: error };
  if (sqlStateOf(error) === "55P03") {
    return new LonghandError("index-busy", `The database ${place} is locked by another session.`, {
      hint: "VACUUM FULL, CREATE INDEX, a change of tables or another writer holds the lock; pg_stat_activity shows who. Try again when it is done. Notes can be read and written meanwhile.",
      ...more,
    });
  }
  return new LonghandError("index-busy", `The database ${place} did not finish in time: ${detail}.`, {
    hint:
      sqlStateOf(error) === "57014"
        ? "The server is very busy, or the role's statement_timeout is short. Try again."
        : "Another session may be writing much at the moment. Try again.",
    ...more,
  });
}

function adviseRefused(error: unknown): string {
  const code = sqlStateOf(error) ?? String((error as { code?: unknown } | null)?.code);
  const message = error instanceof Error ? error.message : "";
  if (isAboutFile(error)) return "Correct the path of sslrootcert, sslcert or sslkey in store.url.";
  if (/does not support SSL/.test(message))
    return "The server has no TLS. Switch it on there (ssl = on), or write sslmode=disable where no one can listen in.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "Write the server's name into store.url as its certificate has it, or give the server a certificate for this name.";
  if (isAboutTls(error))
    return "Every sslmode but disable and no-verify checks the certificate: name its authority with sslrootcert=FILE in store.url. sslmode=disable is for networks in which nobody listens.";
  if (noPassword.test(message))
    return "Write the password into store.url (user:password@…), or set PGPASSWORD.";
  if (code === "3D000") return "Make the database (createdb), or correct its name in store.url.";
  if (code === "42501")
    return "Give the role the right: GRANT CREATE ON DATABASE for the first start. A tenant leaves that to the owner of the tables, who runs longhand status once after each update (docs/scaling.md, Tenants).";
  return "Check user and password in store.url, and who may connect (pg_hba.conf).";
}

function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  const message = messageOf(error);
  if (noPassword.test(message)) return "it asks for a password, and there is none";
  return message.split("\n", 1)[0]!.replace(/\.$/, "").slice(0, 300);
}
