/**
 * The address as the client is given it. Today the client takes `require` and the like for `verify-full` and warns at
 * length, on the user's screen, that it will not do so for ever; said outright, it stays so and is quiet.
 */
export function toConnectionUrl(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}
