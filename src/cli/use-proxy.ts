import { findProxy } from "../config/proxy.ts";

/**
 * Sends requests of this process through the proxy that the environment names, as other command-line tools do. Only the
 * command line does so: a program that uses the library decides for its own process.
 */
export function useProxy(): void {
  const proxy = findProxy();
  // `doctor` tells where Node is too old for it.
  if (proxy !== null && !proxy.isUsedByNode) setterOfProxy()?.(proxy.environment);
}

/** Absent from Node 22. Loaded only where a proxy is named, because it takes time. */
export function setterOfProxy(): ((environment: NodeJS.ProcessEnv) => unknown) | undefined {
  const http = process.getBuiltinModule("node:http") as {
    setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => unknown;
  };
  return http.setGlobalProxyFromEnv;
}
