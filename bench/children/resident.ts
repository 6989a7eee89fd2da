/** What Node itself takes, in bytes. */
export async function measure(): Promise<number> {
  return process.resourceUsage().maxRSS * 1024;
}
