/** A made-up secret as it may occur in a text: no such key was ever issued. */
export interface Canary {
  readonly shape: string;
  /** The value that must not appear anywhere. */
  readonly secret: string;
  /** A sentence or a piece of code with the secret in it. */
  readonly text: string;
}

const small = "abcdefghijklmnopqrstuvwxyz";
const capital = small.toUpperCase();
const digit = "0123456789";
const hex = "0123456789abcdef";
const alnum = small + capital + digit;
const base64url = `${alnum}_-`;

/** `random` returns numbers in 0..1; the same numbers give the same canaries. */
export function makeCanaries(count: number, random: () => number): Canary[] {
  const of = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  /** Begins with a lower-case letter, a capital and a digit, so that no canary looks like a word. */
  const key = (length: number, alphabet = alnum): string =>
    of(small, 1) + of(capital, 1) + of(digit, 1) + of(alphabet, length - 4) + of(alnum, 1);
  const jwt = (): string => `eyJ${key(30, base64url)}.eyJ${key(80, base64url)}.${key(43, base64url)}`;
  const pem = (lineBreak: string): string => {
    const lines = Array.from({ length: 6 }, () => key(64, `${alnum}+/`));
    return ["-----BEGIN RSA PRIVATE KEY-----", ...lines, "-----END RSA PRIVATE KEY-----"].join(lineBreak);
  };
  const shapes: Readonly<Record<string, () => string | { secret: string; text: string }>> = {
    openai: () => `sk-${key(48)}`,
    "openai project": () => `sk-proj-${key(74, base64url)}`,
    anthropic: () => `sk-ant-api03-${key(95, base64url)}`,
    openrouter: () => `sk-or-v1-${of(hex, 64)}`,
    google: () => `AIza${key(35, base64url)}`,
    "google oauth": () => `ya29.${key(60, base64url)}`,
    "aws id": () => `AKIA${of(capital + digit, 16)}`,
    "aws secret": () => named(key(40, `${alnum}+/`), (it) => `aws_secret_access_key = ${it}`),
    "github classic": () => `ghp_${key(36)}`,
    "github app": () => `ghs_${key(36)}`,
    "github fine": () => `github_pat_${key(22)}_${key(59)}`,
    gitlab: () => `glpat-${key(20)}`,
    "slack bot": () => `xoxb-${of(digit, 12)}-${of(digit, 12)}-${key(24)}`,
    "slack app": () => `xapp-1-${of(capital + digit, 11)}-${of(digit, 13)}-${of(hex, 64)}`,
    "slack webhook": () =>
      named(
        `T${of(capital + digit, 8)}/B${of(capital + digit, 8)}/${key(24)}`,
        (it) => `https://hooks.slack.com/services/${it}`,
      ),
    stripe: () => `sk_live_${key(24)}`,
    "stripe restricted": () => `rk_test_${key(24)}`,
    "stripe webhook": () => `whsec_${key(32)}`,
    huggingface: () => `hf_${key(34)}`,
    npm: () => `npm_${key(36)}`,
    pypi: () => `pypi-${key(120, base64url)}`,
    sendgrid: () => `SG.${key(22, base64url)}.${key(43, base64url)}`,
    "twilio key": () => `SK${of(hex, 32)}`,
    "twilio token": () => named(of(hex, 32), (it) => `TWILIO_AUTH_TOKEN=${it}`),
    voyage: () => `pa-${key(43, base64url)}`,
    telegram: () => `${of("123456789", 9)}:AA${key(33, base64url)}`,
    discord: () => `M${key(23)}.${key(6)}.${key(38, base64url)}`,
    mailgun: () => `key-${of(hex, 32)}`,
    mailchimp: () => `${of(hex, 32)}-us12`,
    digitalocean: () => `dop_v1_${of(hex, 64)}`,
    shopify: () => `shpat_${of(hex, 32)}`,
    linear: () => `lin_api_${key(40)}`,
    notion: () => `ntn_${key(46)}`,
    groq: () => `gsk_${key(52)}`,
    xai: () => `xai-${key(80)}`,
    perplexity: () => `pplx-${key(48)}`,
    replicate: () => `r8_${key(37)}`,
    databricks: () => `dapi${of(hex, 32)}`,
    docker: () => `dckr_pat_${key(27, base64url)}`,
    vault: () => `hvs.${key(90, base64url)}`,
    jwt,
    "private key": () => pem("\n"),
    "private key written out": () => pem("\\n"),
    "bearer header": () =>
      named(key(32), (it) => `curl -H 'Authorization: Bearer ${it}' https://example.test`),
    "basic header": () => named(`${key(28)}==`, (it) => `authorization: Basic ${it}`),
    "header in JSON": () => named(key(40), (it) => `{"Authorization": "Bearer ${it}"}`),
    "bearer alone": () => named(key(40), (it) => `send it as bearer ${it} please`),
    "address of a database": () => named(key(18), (it) => `postgres://admin:${it}@db.example.test:5432/app`),
    "address of a repository": () =>
      named(key(40), (it) => `git clone https://oauth2:${it}@example.test/a.git`),
    "environment token": () => named(key(24), (it) => `export DEPLOY_TOKEN=${it}`),
    "environment password": () => named(of(small, 10), (it) => `DB_PASSWORD=${it}`),
    "quoted environment": () => named(key(24), (it) => `MY_API_KEY="${it}"`),
    "environment key": () => named(key(32), (it) => `SERVICE_KEY=${it}`),
    "JSON password": () => named(key(12), (it) => `{"user": "ops", "password": "${it}"}`),
    "JSON in JSON": () => named(key(16), (it) => `{\\"client_secret\\": \\"${it}\\"}`),
    "YAML secret": () => named(key(20), (it) => `database:\n  password: ${it}\n  port: 5432`),
    "code secret": () => named(key(24), (it) => `const apiKey = '${it}';`),
    "passphrase of words": () =>
      named(`${of(small, 6)} ${of(small, 5)} ${of(small, 7)}`, (it) => `password = "${it}"`),
    "option of a command": () => named(key(20), (it) => `tool login --api-key ${it} --verbose`),
    "query of an address": () =>
      named(key(22), (it) => `https://example.test/feed?access_token=${it}&page=2`),
    cookie: () => named(key(32), (it) => `Cookie: sid=${it}; theme=dark`),
    "azure storage": () => named(`${key(86)}==`, (it) => `AccountName=a;AccountKey=${it};EndpointSuffix=b`),
  };
  const settings: readonly ((it: string) => string)[] = [
    (it) => `The key is ${it}, keep it safe.`,
    (it) => `line one\n${it}\nline three`,
    (it) => `(${it})`,
    (it) => `first\\n${it}\\nlast`,
    (it) => `"${it}"`,
  ];
  const kinds = Object.keys(shapes);
  return Array.from({ length: count }, (_, index) => {
    const shape = kinds[index % kinds.length]!;
    const made = shapes[shape]!();
    if (typeof made !== "string") return { shape, ...made };
    const setting = settings[Math.floor(index / kinds.length) % settings.length]!;
    return { shape, secret: made, text: setting(made) };
  });
}

function named(secret: string, write: (secret: string) => string): { secret: string; text: string } {
  return { secret, text: write(secret) };
}

/**
 * Pieces of a secret, long enough not to occur in ordinary text, none of which may remain. The armour of a private key is
 * not secret, so it is removed first.
 */
export function piecesOf({ secret }: Canary): string[] {
  const bare = secret.replaceAll(/-----[A-Z ]+-----/g, "");
  return bare.split(/\\n|[\s./:]+/).flatMap((part) => {
    const tail = part.slice(-12);
    return tail.length >= 8 ? [tail] : [];
  });
}
