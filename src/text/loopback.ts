/** Whether only this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(host);
}
