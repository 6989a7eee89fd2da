import { isLoopback } from "../text/loopback.ts";

interface AddressFault {
  /** Continues a sentence that begins with the name of the setting. */
  readonly message: string;
  readonly hint: string;
}

/**
 * Why the PostgreSQL client would misread an address, or null. No part of the address is repeated: if it cannot be
 * parsed, any part of it may be the password.
 */
export function findAddressFault(address: string): AddressFault | null {
  if (!/^(?:postgres(?:ql)?:\/\/|socket:)/i.test(address)) {
    return {
      message: 'must begin with postgresql:// when store.driver is "postgres"',
      hint: "An example: postgresql://user:password@host:5432/database?sslmode=verify-full",
    };
  }
  const escaping =
    "In a user or password write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25.";
  // A socket has no host, which after a password is only valid in URLs that the client itself generates.
  const written = address.replace("@/", "@socket/");
  if (!URL.canParse(written)) return { message: "cannot be read as an address", hint: escaping };
  const { hash, pathname, searchParams, hostname } = new URL(written);
  const isCut =
    hash !== "" || pathname.includes("@") || [...searchParams.keys()].some((key) => key.includes("@"));
  if (isCut) return { message: "has @ or # in places where an address has none", hint: escaping };
  const host = searchParams.get("host") ?? (/^socket:/i.test(address) || written !== address ? "" : hostname);
  if (isOnThisMachine(host) || saysHowToEncrypt(searchParams)) return null;
  return {
    message:
      "names another machine and does not say whether to encrypt: password and texts would be sent in the clear",
    hint: "Add ?sslmode=verify-full to the address, or ?sslmode=disable if you trust everything between.",
  };
}

function isOnThisMachine(host: string): boolean {
  return host === "" || host.startsWith("/") || isLoopback(host);
}

/** Without either, the client silently connects unencrypted. */
function saysHowToEncrypt(parameters: URLSearchParams): boolean {
  const modes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];
  return modes.includes(parameters.get("sslmode") ?? "") || parameters.has("ssl");
}
