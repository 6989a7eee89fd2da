import { LonghandError, systemErrorCode } from "../../errors.ts";

/**
 * - `unreachable`: no connection, or it was cut: the server restarts, fails over, is full or away. Waiting may help.
 * - `conflict`: the server refused this attempt because of another one. The same again will do.
 * - `slow`: a limit of time was reached.
 * - `refused`: a password, a database or a right is missing. Waiting does not help.
 * - `full`: the server has no disk or memory left.
 * - `other`: everything else, a fault of ours among it.
 */
export type FailureKind = "unreachable" | "conflict" | "slow" | "refused" | "full" | "other";

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
  // A replica that a failover has left read-only for a moment.
  "25006": "unreachable",
};

/** The client has no codes of its own for these. */
const lostConnection =
  /connection (?:terminated|ended|timeout)|timeout (?:expired|exceeded)|not queryable|read timeout|socket/i;

/** A connection is encrypted by one side alone, or the certificate is not one to trust. */
const isAboutTls = (error: unknown): boolean => {
  const { code = "", message = "" } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    /CERT|SIGNATURE|_CRL|ERR_(?:TLS|SSL|OSSL)/.test(String(code)) || /\bSSL connection/.test(String(message))
  );
};

export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof AggregateError) return classifyFailure(error.errors[0]);
  if (isAboutTls(error)) return "refused";
  if (systemErrorCode(error) !== undefined) return "unreachable";
  const code = sqlStateOf(error);
  if (code !== undefined) return kindsBySqlState[code] ?? kindsBySqlState[code.slice(0, 2)] ?? "other";
  return error instanceof Error && lostConnection.test(error.message) ? "unreachable" : "other";
}

/** The five characters by which a server says what went wrong. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** What a caller is told. `place` is the address without its secrets. */
export function explainFailure(error: unknown, place: string): unknown {
  if (error instanceof LonghandError) return error;
  const detail = messageOf(error);
  switch (classifyFailure(error)) {
    case "unreachable":
      return new LonghandError("store-unreachable", `Could not reach the database ${place}: ${detail}.`, {
        hint: "Check that the server runs and that store.url is right; then try again. Notes can be read and written meanwhile, and a later sync indexes them.",
        retryable: true,
        cause: error,
      });
    case "slow":
    case "conflict":
      return new LonghandError("index-busy", `The database ${place} did not finish in time: ${detail}.`, {
        hint: "Somebody else may be writing much at the moment. Try again.",
        retryable: true,
        cause: error,
      });
    case "refused":
      return new LonghandError("store-refused", `The database ${place} refused: ${detail}.`, {
        hint: isAboutTls(error)
          ? "Every sslmode but disable and no-verify checks the certificate: name its authority with sslrootcert=FILE in store.url. sslmode=disable is for networks in which nobody listens."
          : "Check user, password and database in store.url, and the rights of the role (docs/scaling.md).",
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

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0]!.replace(/\.$/, "").slice(0, 300);
}
