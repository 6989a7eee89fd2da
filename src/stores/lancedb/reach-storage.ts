import { once } from "node:events";
import { connect } from "node:net";
import { LonghandError, messageOf } from "../../errors.ts";
import type { LancePlace } from "./place.ts";

const connectLimitMs = 5000;

/**
 * Knocks at a storage elsewhere before LanceDB is asked, which tries for a quarter of a minute where nobody answers, and
 * cannot be stopped.
 */
export async function reachStorage(
  { shown, storageOptions }: LancePlace,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, port } = whereIs({ ...given, ...storageOptions });
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectLimitMs) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "AbortError";
    const why = isLate ? `${host}:${port} gave no answer in ${connectLimitMs / 1000} s` : reasonOf(error);
    throw new LonghandError("store-unreachable", `Could not reach the storage ${shown}: ${why}.`, {
      hint: "Check the network, and endpoint and region in store.url; then try again. Notes can be read and written meanwhile, and a later sync indexes them.",
      retryable: true,
      cause: error,
    });
  } finally {
    socket.destroy();
  }
}

function whereIs(options: Readonly<Record<string, string>>): { host: string; port: number } {
  const endpoint = options["endpoint"] ?? options["aws_endpoint"];
  if (endpoint !== undefined && URL.canParse(endpoint)) {
    const { hostname, port, protocol } = new URL(endpoint);
    return {
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "http:" ? 80 : 443),
    };
  }
  const region = options["region"] ?? options["aws_region"] ?? options["aws_default_region"];
  return { host: region === undefined ? "s3.amazonaws.com" : `s3.${region}.amazonaws.com`, port: 443 };
}

/** A host of several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? messageOf(error.errors[0]) : messageOf(error);
}
