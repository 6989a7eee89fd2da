import type { Environment } from "./variables.ts";

/** The proxy settings of the environment. */
interface Proxy {
  /** The variables that are set. */
  readonly variables: readonly string[];
  /** In the format of Node's options; this machine itself is always reached directly. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether Node was started with its own proxy support. */
  readonly isUsedByNode: boolean;
}

/** Null if no proxy is set. */
export function findProxy(env: Environment = process.env): Proxy | null {
  const names = ["HTTP_PROXY", "HTTPS_PROXY"].flatMap((name) =>
    [name.toLowerCase(), name].filter((each) => env[each]?.trim()).slice(0, 1),
  );
  if (names.length === 0) return null;
  const direct = [env["no_proxy"] ?? env["NO_PROXY"] ?? "", ...loopback].filter((each) => each !== "");
  return {
    variables: names,
    environment: {
      ...Object.fromEntries(names.map((name) => [name.toUpperCase(), env[name]!])),
      NO_PROXY: direct.join(","),
    },
    isUsedByNode: env["NODE_USE_ENV_PROXY"] === "1" || /--use-env-proxy\b/.test(env["NODE_OPTIONS"] ?? ""),
  };
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Sends requests of this process through the proxy that the environment names, like other command-line tools. Only the
 * command line does so: a program that uses the library decides for its own process.
 */
export function useProxy(): void {
  const proxy = findProxy();
  // `doctor` reports a Node that is too old for it.
  if (proxy !== null && !proxy.isUsedByNode) setterOfProxy()?.(proxy.environment);
}

/** Absent from Node 22. Loaded only where a proxy is named, because it takes time. */
export function setterOfProxy(): ((environment: NodeJS.ProcessEnv) => unknown) | undefined {
  const http = process.getBuiltinModule("node:http") as {
    setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => unknown;
  };
  return http.setGlobalProxyFromEnv;
}
