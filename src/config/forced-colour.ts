/** Whether somebody asks for colours, or for none, wherever the output goes; how many, Node finds out. */
export function isColourForced(env: Record<string, string | undefined> = process.env): boolean {
  return env["FORCE_COLOR"] !== undefined;
}
