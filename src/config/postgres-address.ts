export interface AddressFault {
  /** Goes on after the name of the setting. */
  readonly message: string;
  readonly hint: string;
}

/**
 * What keeps the PostgreSQL client from understanding an address, or null. None of the address is repeated: where it
 * cannot be taken apart, nobody knows which of it is the password.
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
  // A socket has no host, which only a URL of the client's own making may lack after a password.
  const written = address.replace("@/", "@socket/");
  if (!URL.canParse(written)) return { message: "cannot be read as an address", hint: escaping };
  const { hash, pathname, searchParams } = new URL(written);
  const isCut =
    hash !== "" || pathname.includes("@") || [...searchParams.keys()].some((key) => key.includes("@"));
  return isCut ? { message: "has @ or # in places where an address has none", hint: escaping } : null;
}
