import { hostname, networkInterfaces } from "node:os";

/**
 * The names under which a server may be called, as `Host` carries them. On all interfaces that is every address that
 * the machine has, and its own name: a page that re-binds a name of its own to one of them still tells that name.
 */
export function addressesOf(host: string, port: number): string[] {
  const isAll = host === "0.0.0.0" || host === "::";
  const others = isAll
    ? [
        hostname(),
        ...Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
      ]
    : [];
  const names = [host, "127.0.0.1", "localhost", "::1", ...others].map((name) => nameOf(name).toLowerCase());
  // Browsers and libraries leave the port out when it is the usual one.
  const ports = port === 80 ? ["", ":80"] : [`:${port}`];
  return [...new Set(names.flatMap((name) => ports.map((end) => name + end)))];
}

function nameOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
