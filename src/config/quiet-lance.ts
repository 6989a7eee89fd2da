/**
 * LanceDB's native code writes warnings about ordinary things to standard error, which belongs to our own messages. It
 * reads how much to say from the environment when it is loaded; who has set that keeps it.
 */
export function quietLance(env: Record<string, string | undefined> = process.env): void {
  env["LANCEDB_LOG"] ??= "error";
}
