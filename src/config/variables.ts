/** Environment variables that longhand reads itself, apart from provider keys and `${NAME}` in the file. */
export const environmentVariables = {
  LONGHAND_STATE_DIR: "The state folder, instead of `~/.longhand`.",
  LONGHAND_CONFIG: "The configuration file, instead of `longhand.json5` in the state folder.",
  LONGHAND_WORKSPACE: "The workspace.",
  LONGHAND_AGENT: "The agent.",
  LONGHAND_RESIDENT: "`0`: neither asks a longhand process that is already running, nor answers for others.",
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset, because that is how shells and service files clear one. */
export function readVariable(env: Environment, name: string): string | null {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === undefined || value === "" ? null : value;
}

interface ExpandedText {
  readonly text: string;
  readonly used: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Expands `${NAME}`; `$${NAME}` is the literal `${NAME}`. Values are not expanded again, and an empty variable expands
 * to nothing: only an unset one is missing.
 */
export function expandVariables(text: string, env: Environment): ExpandedText {
  const used: string[] = [];
  const missing: string[] = [];
  const expanded = text.replaceAll(
    /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g,
    (match, dollar: string, name: string) => {
      if (dollar !== "") return match.slice(1);
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      (value === undefined ? missing : used).push(name);
      return value ?? "";
    },
  );
  return { text: expanded, used, missing };
}

/** Whether colours are explicitly requested or disabled, wherever the output goes; Node determines how many. */
export function isColourForced(env: Record<string, string | undefined> = process.env): boolean {
  return env["FORCE_COLOR"] !== undefined;
}

/** Whether the user has chosen how V8 compiles code, for example not at all. */
export function isCompilerChosen(
  env: Record<string, string | undefined> = process.env,
  nodeArguments: readonly string[] = process.execArgv,
): boolean {
  const chosen = `${nodeArguments.join(" ")} ${env["NODE_OPTIONS"] ?? ""}`;
  return /jitless|\bopt\b|turbofan|maglev|sparkplug/.test(chosen);
}
