import { once } from "./once.ts";

/** One shape by which a secret gives itself away. */
export interface SecretShape {
  /** Shown in the mask: `[redacted:<kind>]`. */
  readonly kind: string;
  /** A text without any of these holds no such secret: looking for them is much cheaper than the pattern. */
  readonly hints: readonly string[];
  /** Global; matches the secret and nothing around it. */
  readonly pattern: RegExp;
}

/*
 * Linear by construction: a pattern starts with a fixed prefix, only where no run of key characters is under way, and
 * every repetition is bounded, so a position is looked at a fixed number of times. A line break that is written out as
 * `\n` ends in a letter and is a boundary all the same.
 */
const start = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))`;
/** Words joined by hyphens look like keys; keys have a capital or a digit. */
const notWords = "(?=[a-z_-]{0,200}[A-Z0-9])";

function shape(kind: string, hints: string | readonly string[], body: string): SecretShape {
  return {
    kind,
    hints: typeof hints === "string" ? [hints] : hints,
    pattern: new RegExp(`${start}${body}`, "g"),
  };
}

/** Keys that carry their vendor's mark. The more telling prefix stands first. */
const secretShapes = once((): readonly SecretShape[] => [
  shape("anthropic-key", "sk-ant-", "sk-ant-[A-Za-z0-9_-]{16,200}"),
  shape("openrouter-key", "sk-or-", "sk-or-[A-Za-z0-9_-]{20,200}"),
  shape("openai-key", "sk-", `sk-${notWords}[A-Za-z0-9_-]{20,220}`),
  shape("google-key", "AIza", "AIza[A-Za-z0-9_-]{35}"),
  shape("google-token", "ya29.", String.raw`ya29\.[A-Za-z0-9_-]{20,400}`),
  shape("google-secret", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{20,60}"),
  shape("aws-key", ["AKIA", "ASIA", "ABIA", "ACCA"], "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
  shape("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{30,255}"),
  shape("github-token", "github_pat_", "github_pat_[A-Za-z0-9_]{22,255}"),
  shape(
    "gitlab-token",
    ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "glimt-", "gloas-", "glagent-"],
    "gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|oas|agent)-[A-Za-z0-9_-]{20,200}",
  ),
  shape("slack-token", "xox", "xox[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}"),
  shape("slack-token", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{20,250}"),
  shape(
    "slack-webhook",
    "hooks.slack.com/",
    String.raw`hooks\.slack\.com/[a-z]{1,20}/[A-Za-z0-9_/-]{20,200}`,
  ),
  shape("stripe-key", ["sk_", "rk_", "pk_"], "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,250}"),
  shape("webhook-secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,100}"),
  shape("huggingface-token", ["hf_", "api_org_"], "(?:hf_|api_org_)[A-Za-z0-9]{30,100}"),
  shape("npm-token", "npm_", "npm_[A-Za-z0-9]{36,100}"),
  shape("pypi-token", "pypi-", "pypi-[A-Za-z0-9_-]{50,250}"),
  shape("sendgrid-key", "SG.", String.raw`SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}`),
  shape("twilio-key", ["SK", "AC"], "(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),
  shape("voyage-key", "pa-", `pa-${notWords}[A-Za-z0-9_-]{40,100}`),
  shape("telegram-token", ":AA", "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
  shape(
    "discord-token",
    ".",
    String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])`,
  ),
  shape(
    "discord-webhook",
    "/webhooks/",
    String.raw`discord(?:app)?\.com/api/webhooks/[0-9]{10,24}/[A-Za-z0-9_-]{20,100}`,
  ),
  shape("mailgun-key", "key-", "key-[0-9a-f]{32}(?![A-Za-z0-9])"),
  shape("mailchimp-key", "-us", "[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
  shape("digitalocean-token", "_v1_", "do[opr]_v1_[a-f0-9]{64}"),
  shape("shopify-token", "shp", "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
  shape("linear-key", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,80}"),
  shape(
    "notion-token",
    ["ntn_", "secret_"],
    "(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))",
  ),
  shape("groq-key", "gsk_", "gsk_[A-Za-z0-9]{40,80}"),
  shape("xai-key", "xai-", "xai-[A-Za-z0-9]{40,120}"),
  shape("perplexity-key", "pplx-", "pplx-[A-Za-z0-9]{40,80}"),
  shape("replicate-token", "r8_", "r8_[A-Za-z0-9]{30,60}"),
  shape("databricks-token", "dapi", "dapi[a-f0-9]{32}"),
  shape("docker-token", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}"),
  shape("atlassian-token", "ATATT", "ATATT[A-Za-z0-9_=-]{50,250}"),
  shape("vault-token", "hvs.", String.raw`hvs\.[A-Za-z0-9_-]{24,200}`),
  shape("grafana-token", "glsa_", "glsa_[A-Za-z0-9_]{32,60}"),
  shape("supabase-token", "sbp_", "sbp_[a-f0-9]{40}"),
  shape("postman-key", "PMAK-", "PMAK-[A-Za-z0-9-]{40,80}"),
  shape("newrelic-key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
  shape("sentry-token", "sntry", "sntry[su]_[A-Za-z0-9_=+/-]{40,250}"),
  shape("langsmith-key", "lsv2_", "lsv2_(?:pt|sk)_[A-Za-z0-9_]{30,80}"),
  shape("age-key", "AGE-SECRET-KEY-", "AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
  shape("azure-key", "AccountKey=", "(?<=AccountKey=)[A-Za-z0-9+/=]{40,100}"),
  shape("jwt", "eyJ", String.raw`eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{0,4096}`),
]);

/** The shapes that a text may have. One look tells that most texts have hardly any of them. */
export function shapesIn(text: string): readonly SecretShape[] {
  const { hint, others } = rareHint();
  return hint.test(text) ? secretShapes() : others;
}

const rareHint = once(() => {
  const isRare = ({ hints }: SecretShape): boolean => hints.every((hint) => hint.length > 1);
  const hints = secretShapes()
    .filter(isRare)
    .flatMap((each) => each.hints);
  return {
    hint: new RegExp(hints.map((hint) => hint.replaceAll(/[^\w-]/g, "\\$&")).join("|")),
    others: secretShapes().filter((shape) => !isRare(shape)),
  };
});
