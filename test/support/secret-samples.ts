/** A made-up secret in the text that somebody may paste it with. No such key was ever given out. */
export interface SecretSample {
  readonly group: string;
  readonly text: string;
  /** What must not be seen, not even in part. */
  readonly secrets: readonly string[];
}

const small = "abcdefghijklmnopqrstuvwxyz";
const capital = small.toUpperCase();
const digit = "0123456789";
const hex = "0123456789abcdef";
const alnum = small + capital + digit;
const url64 = `${alnum}_-`;
const base64 = `${alnum}+/`;
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

type Draw = (alphabet: string, length: number) => string;

export function createDraw(random: () => number): Draw & { pick<T>(from: readonly T[]): T } {
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  return Object.assign(draw, {
    pick: <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!,
  });
}

/** Vendors' keys, written as parts so that no scanner takes this table for a leak. */
function vendorKeys(draw: Draw): Record<string, string> {
  const uuid = [8, 4, 4, 4, 12].map((length) => draw(hex, length)).join("-");
  const j = (...parts: string[]): string => parts.join("");
  return {
    openai: j("sk", "-", draw(alnum, 48)),
    openaiProject: j("sk-", "proj-", draw(url64, 120)),
    openaiService: j("sk-", "svcacct-", draw(url64, 80)),
    anthropic: j("sk-", "ant-api03-", draw(url64, 93), "AA"),
    bedrock: j("AB", "SK", draw(base64, 120)),
    aws: j("AK", "IA", draw(`${capital}234567`, 16)),
    gcp: j("AI", "za", draw(url64, 35)),
    googleOauth: j("ya", "29.", draw(url64, 120)),
    googleSecret: j("GOC", "SPX-", draw(url64, 28)),
    azureAd: j(draw(alnum, 3), "8Q", "~", draw(alnum, 34)),
    nvidia: j("nv", "api-", draw(url64, 64)),
    pinecone: j("pc", "sk_", draw(alnum, 6), "_", draw(alnum, 60)),
    tailscale: j("ts", "key-auth-", draw(alnum, 12), "-", draw(alnum, 32)),
    figma: j("fi", "gd_", draw(url64, 40)),
    heroku: j("HR", "KU-AA", draw(url64, 58)),
    doppler: j("dp", ".pt.", draw(alnum, 43)),
    netlify: j("nf", "p_", draw(alnum, 36)),
    terraform: j(draw(alnum, 14), ".atlas", "v1.", draw(url64, 67)),
    stripe: j("sk", "_live_", draw(alnum, 24)),
    stripeRestricted: j("rk", "_live_", draw(alnum, 98)),
    stripeOrg: j("sk", "_org_live_", draw(alnum, 60)),
    stripeHook: j("wh", "sec_", draw(alnum, 32)),
    slackBot: j("xo", "xb-", draw(digit, 12), "-", draw(digit, 13), "-", draw(alnum, 24)),
    slackCookie: j("xo", "xd-", draw(alnum, 60), "%2B", draw(alnum, 40), "%3D"),
    discord: j("MT", draw(alnum, 24), ".", draw(url64, 6), ".", draw(url64, 38)),
    telegram: j(draw("123456789", 10), ":A", "A", draw(url64, 33)),
    twilio: j("SK", draw(hex, 32)),
    sendgrid: j("SG", ".", draw(url64, 22), ".", draw(url64, 43)),
    mailgun: j("key", "-", draw(hex, 32)),
    mailchimp: j(draw(hex, 32), "-us", "14"),
    gitlab: j("gl", "pat-", draw(url64, 20)),
    gitlabRunner: j("gl", "rt-", draw(url64, 20)),
    bitbucket: j("AT", "BB", draw(alnum, 32), draw(hex.toUpperCase(), 8)),
    atlassian: j("AT", "ATT3xFfGF0", draw(url64, 160), "=", draw(hex.toUpperCase(), 8)),
    github: j("gh", "p_", draw(alnum, 36)),
    githubFine: j("github", "_pat_", draw(alnum, 22), "_", draw(alnum, 59)),
    npm: j("np", "m_", draw(alnum, 36)),
    pypi: j("py", "pi-AgEIcHlwaS5vcmc", draw(url64, 140)),
    rubygems: j("ruby", "gems_", draw(hex, 48)),
    crates: j("ci", "o", draw(alnum, 32)),
    docker: j("dckr", "_pat_", draw(url64, 27)),
    huggingface: j("hf", "_", draw(alnum, 34)),
    replicate: j("r8", "_", draw(alnum, 37)),
    groq: j("gs", "k_", draw(alnum, 52)),
    xai: j("xa", "i-", draw(alnum, 80)),
    perplexity: j("ppl", "x-", draw(alnum, 48)),
    databricks: j("da", "pi", draw(hex, 32)),
    planetscale: j("pscale", "_tkn_", draw(url64, 43)),
    supabase: j("sb", "p_", draw(hex, 40)),
    digitalocean: j("dop", "_v1_", draw(hex, 64)),
    fly: j("fo", "1_", draw(url64, 43)),
    flyMacaroon: j("FlyV1 ", "fm2_", draw(base64, 200)),
    render: j("rn", "d_", draw(alnum, 32)),
    sentry: j("sn", "trys_", draw(base64, 120), "_", draw(base64, 43)),
    newrelic: j("NR", "AK-", draw(capital + digit, 27)),
    grafana: j("gl", "sa_", draw(alnum, 32), "_", draw(hex, 8)),
    grafanaCloud: j("gl", "c_", draw(base64, 80), "="),
    shopify: j("sh", "pat_", draw(hex, 32)),
    square: j("sq", "0atp-", draw(url64, 22)),
    paypal: j("access", "_token$production$", draw(small + digit, 16), "$", draw(hex, 32)),
    notion: j("nt", "n_", draw(alnum, 46)),
    notionOld: j("sec", "ret_", draw(alnum, 43)),
    linear: j("lin", "_api_", draw(alnum, 40)),
    airtable: j("pa", "t", draw(alnum, 14), ".", draw(hex, 64)),
    postman: j("PM", "AK-", draw(hex, 24), "-", draw(hex, 34)),
    onepassword: j("op", "s_eyJ", draw(url64, 240)),
    vault: j("hv", "s.", draw(url64, 90)),
    age: j("AGE-", "SECRET-KEY-1", draw("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    jwt: j("ey", "J", draw(url64, 33), ".ey", "J", draw(url64, 90), ".", draw(url64, 43)),
    jwe: j("ey", "J", draw(url64, 60), "..", draw(url64, 16), ".", draw(url64, 120), ".", draw(url64, 22)),
    brevo: j("xkey", "sib-", draw(hex, 64), "-", draw(alnum, 16)),
    hubspot: j("pat", "-na1-", uuid),
    langsmith: j("lsv2", "_pt_", draw(hex, 32), "_", draw(hex, 10)),
    elevenlabs: j("sk", "_", draw(hex, 48)),
    tavily: j("tv", "ly-", "dev-", draw(alnum, 32)),
    firecrawl: j("fc", "-", draw(hex, 32)),
    apify: j("apify", "_api_", draw(alnum, 36)),
    posthog: j("ph", "x_", draw(alnum, 43)),
    launchdarkly: j("sd", "k-", uuid),
    circleci: j("CCI", "PAT_", draw(alnum, 22), "_", draw(hex, 40)),
    buildkite: j("bk", "ua_", draw(hex, 40)),
    sonar: j("sq", "u_", draw(hex, 40)),
    dynatrace: j("dt0", "c01.", draw(capital + digit, 24), ".", draw(capital + digit, 64)),
    pulumi: j("pu", "l-", draw(hex, 40)),
    razorpay: j("rzp", "_live_", draw(alnum, 14)),
    plaid: j("access", "-production-", uuid),
    mapbox: j("sk", ".eyJ", draw(url64, 86), ".", draw(url64, 22)),
    facebook: j("EA", "A", draw(alnum, 180)),
    alibaba: j("LT", "AI5t", draw(alnum, 20)),
    nuget: j("oy", "2", draw(small + digit, 43)),
    jfrog: j("AK", "Cp8", draw(alnum, 69)),
    typeform: j("tf", "p_", draw(alnum, 44), "_", draw(alnum, 14)),
    neon: j("na", "pi_", draw(small + digit, 64)),
    aiven: j("AV", "NS_", draw(url64, 19)),
    xprv: j("xp", "rv9", draw(base58, 107)),
    wif: j("5", "J", draw(base58, 49)),
    nostr: j("ns", "ec1", draw("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58)),
    resend: j("re", "_", draw(alnum, 8), "_", draw(alnum, 24)),
    twitch: j("oauth", ":", draw(small + digit, 30)),
    axiom: j("xa", "at-", uuid),
    contentful: j("CF", "PAT-", draw(url64, 43)),
    honeycomb: j("hca", "ik_", draw(small + digit, 58)),
    expo: j("ex", "po_", draw(url64, 40)),
    jina: j("ji", "na_", draw(hex, 32), draw(url64, 28)),
    cerebras: j("cs", "k-", draw(small + digit, 48)),
    together: j("tgp", "_v1_", draw(url64, 43)),
  };
}

const around: readonly ((it: string) => string)[] = [
  (it) => it,
  (it) => `The key is ${it}, keep it safe.`,
  (it) => `- ${it} (prod)`,
  (it) => `\`${it}\``,
  (it) => `"${it}",`,
  (it) => `> ${it}`,
  (it) => `here you go: ${it}`,
  (it) => `first\\n${it}\\nlast`,
  (it) => `export THING=${it}`,
  (it) => `(${it})`,
  (it) => `| service | ${it} |`,
  (it) => `curl https://example.test/v1 -H "x-key: ${it}"`,
];

export function makePassword(draw: ReturnType<typeof createDraw>): string {
  const word = (): string =>
    draw.pick(["Sunny", "river", "Dragon", "coffee", "Monday", "winter", "Falcon", "tiger", "Blue", "kiwi"]);
  const signs = "!@#%^&*+?-_=.";
  return draw.pick([
    () => `${word()}${draw(digit, 2)}${draw(signs.slice(0, 6), 1)}`,
    () => `${word()}-${word()}-${draw(digit, 3)}`,
    () => draw(alnum, 6) + draw(digit, 2) + draw(small, 4) + draw(capital, 1),
    () => `${draw(alnum, 5)}${draw(signs, 2)}${draw(digit, 2)}${draw(alnum, 5)}`,
    () => `${word()}${draw(digit, 4)}`,
    () =>
      `${draw(capital, 1)}${draw(small, 4)}${draw(digit, 1)}${draw("!@#%", 1)}${draw(small, 3)}${draw(digit, 2)}`,
    () => `p${draw(digit, 1)}${draw(small, 2)}W${draw(digit, 1)}${draw(small, 3)}!`,
  ])();
}

const hard: readonly ((draw: Draw) => string)[] = [
  (draw) => `a${draw(alnum, 4)},${draw(alnum, 4)};${draw(digit, 2)}&${draw(small, 3)}`,
  (draw) => `$${draw(alnum, 5)}${draw(digit, 2)}!${draw(alnum, 4)}`,
  (draw) => `%${draw(alnum, 4)}${draw(digit, 2)}#${draw(alnum, 4)}`,
  (draw) => `/${draw(alnum, 6)}+${draw(digit, 2)}${draw(capital, 2)}=`,
  (draw) => `.${draw(alnum, 6)}${draw(digit, 2)}!${draw(alnum, 3)}`,
  (draw) => `~${draw(alnum, 6)}${draw(digit, 2)}^${draw(alnum, 3)}`,
  (draw) => `<${draw(alnum, 6)}${draw(digit, 2)}>${draw(alnum, 3)}!`,
  (draw) => `ab(${draw(alnum, 5)})${draw(digit, 2)}${draw(capital, 2)}`,
  (draw) => `${draw(alnum, 5)}|${draw(digit, 2)}\\${draw(alnum, 4)}`,
  (draw) => `${draw(alnum, 4)}'${draw(digit, 2)}${draw(alnum, 5)}`,
];

type Named = (it: string) => string;

const passwordForms: readonly Named[] = [
  (it) => `password: ${it}`,
  (it) => `Password: ${it}`,
  (it) => `**Password:** ${it}`,
  (it) => `- **Password**: \`${it}\``,
  (it) => `* Password: "${it}"`,
  (it) => `DB_PASSWORD=${it}`,
  (it) => `DB_PASSWORD_2024=${it}`,
  (it) => `export PGPASSWORD='${it}'`,
  (it) => `spring.datasource.password=${it}`,
  (it) => `"password": "${it.replaceAll("\\", "")}",`,
  (it) => `  password = "${it.replaceAll("\\", "")}"`,
  (it) => `<password>${it.replaceAll(/[<>]/g, "")}</password>`,
  (it) => `<user name="ops" password="${it.replaceAll(/["<>]/g, "")}"/>`,
  (it) => `| Password | ${it.replaceAll("|", "")} |`,
  (it) => `| user | password |\n|---|---|\n| ops | ${it.replaceAll("|", "")} |`,
  (it) => `user: ops\npass: ${it}`,
  (it) => `pwd=${it}`,
  (it) => `Server=db;Database=app;User Id=sa;Password=${it.replaceAll(/[;&,]/g, "")};Encrypt=true`,
  (it) => `jdbc:postgresql://db/app?user=ops&password=${it.replaceAll(/[&#;,]/g, "")}&ssl=true`,
  (it) => `password: |\n  ${it}\nport: 5432`,
  (it) => `Password:\n\n    ${it}`,
  (it) => `- name: DB_PASSWORD\n  value: ${it}`,
  (it) => `const password = '${it.replaceAll(/['\\]/g, "")}';`,
  (it) => `login: ops / ${it}`,
  (it) => `wifi password is ${it}`,
  (it) => `the password for staging is ${it}`,
  (it) => `I changed the root password to ${it} yesterday`,
  (it) => `Das Passwort lautet ${it}`,
  (it) => `Das Kennwort für den Drucker ist ${it}.`,
  (it) => `Passwort: ${it}`,
  (it) => `le mot de passe est ${it}`,
  (it) => `Mot de passe : ${it}`,
  (it) => `la contraseña es ${it}`,
  (it) => `Contraseña: ${it}`,
  (it) => `la password è ${it}`,
  (it) => `a senha é ${it}`,
  (it) => `Senha: ${it}`,
  (it) => `het wachtwoord is ${it}`,
  (it) => `Wachtwoord: ${it}`,
  (it) => `hasło to ${it}`,
  (it) => `Hasło: ${it}`,
  (it) => `пароль: ${it}`,
  (it) => `Пароль от сервера — ${it}`,
  (it) => `şifre: ${it}`,
  (it) => `パスワードは ${it} です`,
  (it) => `パスワード：${it}`,
  (it) => `密码是${it}`,
  (it) => `密码：${it}`,
  (it) => `비밀번호는 ${it} 입니다`,
  (it) => `비밀번호: ${it}`,
  (it) => `كلمة المرور: ${it}`,
  (it) => `lösenord: ${it}`,
  (it) => `heslo: ${it}`,
  (it) => `use ${it} as the password`,
  (it) => `sshpass -p '${it.replaceAll("'", "")}' ssh ops@host`,
  (it) => `mysql -u root -p${it.replaceAll(/[;|&<>()'$\\]/g, "")} app`,
  (it) => `curl -u ops:${it.replaceAll(/[;|&<>()'$\\]/g, "")} https://example.test`,
  (it) => `docker login -u ops -p ${it.replaceAll(/[;|&<>()'$\\]/g, "")} registry.test`,
  (it) => `redis-cli -a ${it.replaceAll(/[;|&<>()'$\\]/g, "")} ping`,
  (it) => `openssl rsa -in k.pem -passin pass:${it.replaceAll(/[;|&<>()'$\\]/g, "")}`,
  (it) => `tool --password ${it.replaceAll(/[;|&<>()'$\\]/g, "")} --verbose`,
  (it) => `docker run -e POSTGRES_PASSWORD=${it.replaceAll(/[;|&<>()'$\\]/g, "")} postgres`,
  (it) => `ldapsearch -x -D cn=admin -w ${it.replaceAll(/[;|&<>()'$\\]/g, "")} -b dc=test`,
  (it) => `echo '${it.replaceAll(/['|]/g, "")}' | sudo -S apt update`,
  (it) => `postgres://ops:${it.replaceAll(/["'`<>@\s]/g, "")}@db.example.test:5432/app`,
  (it) => `amqp://ops:${it.replaceAll(/["'`<>@\s]/g, "")}@mq.example.test/vhost`,
  (it) => `ops:${it.replaceAll(/["'`<>@\s]/g, "")}@tcp(127.0.0.1:3306)/app`,
  (it) => `CREATE USER ops IDENTIFIED BY '${it.replaceAll(/['\\]/g, "")}';`,
  (it) => `machine example.test login ops password ${it}`,
  (it) => `:password "${it.replaceAll(/["\\]/g, "")}"`,
];

const secretForms: readonly Named[] = [
  (it) => `API key: ${it}`,
  (it) => `**API Key:** \`${it}\``,
  (it) => `Secret access key: ${it}`,
  (it) => `aws_secret_access_key = ${it}`,
  (it) => `API_KEYS=${it}`,
  (it) => `API_KEY_OPENAI=${it}`,
  (it) => `apiKey: "${it}",`,
  (it) => `"client_secret": "${it}"`,
  (it) => `client-secret = ${it}`,
  (it) => `auth_token: ${it}`,
  (it) => `Authorization: Bearer ${it}`,
  (it) => `Authorization: Basic ${it}`,
  (it) => `-H 'X-Api-Key: ${it}'`,
  (it) => `Proxy-Authorization: Basic ${it}`,
  (it) => `Cookie: session=${it}; theme=dark`,
  (it) => `https://example.test/feed?access_token=${it}&page=2`,
  (it) => `https://acct.blob.core.example.test/c?sv=2024&sig=${it}%3D&se=2026`,
  (it) => `SharedAccessKey=${it};EntityPath=q`,
  (it) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${it}==;EndpointSuffix=x`,
  (it) => `<apiKey>${it}</apiKey>`,
  (it) => `<add key="ApiKey" value="${it}" />`,
  (it) => `api_keys = ["${it}"]`,
  (it) => `token: >-\n  ${it}`,
  (it) => `The API token for CI is ${it}.`,
  (it) => `my secret key is "${it}"`,
  (it) => `Clé API : ${it}`,
  (it) => `API-Schlüssel: ${it}`,
  (it) => `Clave de API: ${it}`,
  (it) => `Chiave API: ${it}`,
  (it) => `API ключ: ${it}`,
  (it) => `API密钥：${it}`,
  (it) => `APIキー: ${it}`,
  (it) => `SECRET_KEY_BASE=${it}`,
  (it) => `JWT_SECRET: ${it}`,
  (it) => `TWILIO_AUTH_TOKEN=${it}`,
  (it) => `login --token ${it}`,
  (it) => `//registry.npmjs.org/:_authToken=${it}`,
  (it) => `otpauth://totp/Acme:ops?secret=${it}&issuer=Acme`,
  (it) => `token = "${it.slice(0, 12)}" + "${it.slice(12)}"`,
  (it) => `PrivateKey = ${it}=`,
  (it) => `{"name": "API_TOKEN", "value": "${it}"}`,
  (it) => `{\\"api_key\\": \\"${it}\\"}`,
  (it) => `set MY_TOKEN=${it}`,
  (it) => `$env:MY_TOKEN = "${it}"`,
  (it) => `token=${it}`,
  (it) => `x-auth-token: ${it}`,
  (it) => `webhook secret: ${it}`,
];

function privateKeys(draw: Draw): { text: string; secrets: string[] }[] {
  const lines = Array.from({ length: 5 }, () => draw(base64, 64));
  const begin = ["-----BEGIN", "RSA PRIVATE", "KEY-----"].join(" ");
  const end = ["-----END", "RSA PRIVATE", "KEY-----"].join(" ");
  const ssh = ["-----BEGIN", "OPENSSH PRIVATE", "KEY-----"].join(" ");
  const whole = [begin, ...lines, end];
  return [
    whole.join("\n"),
    whole.map((line) => `> ${line}`).join("\n"),
    whole.map((line) => `    ${line}`).join("\n"),
    `- key:\n${whole.map((line) => `  ${line}`).join("\n")}`,
    `"${whole.join("\\n")}\\n"`,
    whole.map((line) => `"${line}\\n" +`).join("\n"),
    [ssh, ...lines].join("\n"),
    [begin, "Proc-Type: 4,ENCRYPTED", "", ...lines].join("\n"),
    `tls.key: |\n${whole.map((line) => `  ${line}`).join("\n")}`,
    [
      "PuTTY-User-Key-File-3: ssh-ed25519",
      "Encryption: none",
      "Comment: k",
      "Public-Lines: 2",
      lines[0],
      lines[1],
      "Private-Lines: 1",
      lines[2],
      `Private-MAC: ${draw(hex, 64)}`,
    ].join("\n"),
    [
      "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
      "Comment: x",
      ...lines,
      "---- END SSH2 ENCRYPTED PRIVATE KEY ----",
    ].join("\n"),
    `export KEY=${Buffer.from(whole.join("\n")).toString("base64")}`,
    `{"kty":"RSA","n":"${draw(url64, 80)}","e":"AQAB","d":"${lines[0]!.replaceAll(/[+/]/g, "a")}"}`,
  ].map((text, index) => ({
    text,
    secrets:
      index === 11
        ? [Buffer.from(whole.join("\n")).toString("base64").slice(60, 200)]
        : index === 12
          ? [lines[0]!.replaceAll(/[+/]/g, "a")]
          : index === 9
            ? [lines[2]!]
            : lines,
  }));
}

function otherSecrets(draw: ReturnType<typeof createDraw>): { text: string; secrets: string[] }[] {
  const uuid = [8, 4, 4, 4, 12].map((length) => draw(hex, length)).join("-");
  const key = draw(alnum, 24);
  const awsSecret = `${draw(capital, 2)}${draw(base64, 36)}${draw(digit, 2)}`;
  const words =
    "abandon ability wolf zebra orbit lemon canyon velvet anchor puzzle tunnel hybrid galaxy".split(" ");
  const phrase = Array.from({ length: 12 }, () => draw.pick(words)).join(" ");
  const gh = ["gh", "p_", draw(alnum, 36)].join("");
  const card = withLuhn(`4${draw(digit, 14)}`);
  return [
    {
      text: `https://hooks.slack.com/services/T${draw(capital, 8)}/B${draw(capital, 8)}/${key}`,
      secrets: [key],
    },
    {
      text: `https://discord.com/api/webhooks/${draw("123456789", 18)}/${draw(url64, 4)}${key}${key}`,
      secrets: [key],
    },
    {
      text: `https://acme.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/${draw(hex, 32)}/${uuid}`,
      secrets: [uuid],
    },
    {
      text: `https://hooks.zapier.com/hooks/catch/${draw(digit, 7)}/${draw(small + digit, 7)}/`,
      secrets: [],
    },
    { text: `https://api.telegram.org/bot123456789:${draw(url64, 11)}${key}/sendMessage`, secrets: [key] },
    { text: `https://maker.ifttt.com/trigger/door/with/key/${key}`, secrets: [key] },
    { text: `https://open.feishu.cn/open-apis/bot/v2/hook/${uuid}`, secrets: [uuid] },
    { text: `AKIA${draw(capital, 16)}\n${awsSecret}`, secrets: [awsSecret] },
    { text: `seed phrase: ${phrase}`, secrets: [phrase] },
    {
      text: `card ${card.replaceAll(/(\d{4})(?=\d)/g, "$1 ")} exp 04/29`,
      secrets: [card.replaceAll(/(\d{4})(?=\d)/g, "$1 ")],
    },
    { text: `card: ${card}`, secrets: [card] },
    { text: `mytoken${gh}`, secrets: [gh] },
    { text: `${gh.slice(0, 10)}\u200b${gh.slice(10)}`, secrets: [gh.slice(12)] },
    {
      text: Buffer.from(`token=${gh}`).toString("base64"),
      secrets: [Buffer.from(`token=${gh}`).toString("base64")],
    },
    { text: `redirect=https%3A%2F%2Fops%3A${key}%40example.test%2Fa`, secrets: [key] },
    { text: `"${gh.slice(0, 14)}" +\n  "${gh.slice(14)}"`, secrets: [gh.slice(14)] },
    {
      text: `recovery codes: ${draw(digit, 4)}-${draw(digit, 4)} ${draw(digit, 4)}-${draw(digit, 4)}`,
      secrets: [],
    },
    { text: `kubectl create secret generic db --from-literal=password=${key}`, secrets: [key] },
    { text: `https://${key}@o12.ingest.example.test/45`, secrets: [key] },
    { text: `redis://:${key}@cache.example.test:6379/0`, secrets: [key] },
    { text: `mongodb+srv://ops:a/${key}#b?c@cluster.example.test/app`, secrets: [key] },
    { text: `PIN: ${draw("123456789", 4)}`, secrets: [] },
    {
      text: `data:\n  password: ${Buffer.from(key).toString("base64")}`,
      secrets: [Buffer.from(key).toString("base64")],
    },
    { text: `TOKEN=${draw(alnum, 700)}`, secrets: [] },
    { text: `ssh root@host # pw ${makePassword(draw)}`, secrets: [] },
    { text: `user,password\nops,${key}`, secrets: [key] },
  ].map(({ text, secrets }) => ({ text, secrets: secrets.length > 0 ? secrets : [lastRun(text)] }));
}

function lastRun(text: string): string {
  return text
    .match(/[\w:!@#%^&*+?=.-]{4,}/g)!
    .at(-1)!
    .replace(/^(?:TOKEN=|bot\d+:)/, "");
}

function withLuhn(digits: string): string {
  for (let last = 0; ; last++) {
    const sum = [...`${digits}${last}`].toReversed().reduce((total, each, at) => {
      const value = at % 2 === 1 ? Number(each) * 2 : Number(each);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    if (sum % 10 === 0) return `${digits}${last}`;
  }
}

/** A few hundred secrets of every group; the same numbers give the same secrets. */
export function makeSecretSamples(random: () => number, rounds = 2): SecretSample[] {
  const draw = createDraw(random);
  const samples: SecretSample[] = [];
  const add = (group: string, text: string, secrets: readonly string[]): void => {
    samples.push({ group, text, secrets });
  };
  for (let round = 0; round < rounds; round++) {
    for (const key of Object.values(vendorKeys(draw))) add("vendor keys", draw.pick(around)(key), [key]);
    for (const form of passwordForms) {
      const password = makePassword(draw);
      add("passwords", form(password), [password]);
    }
    for (const form of passwordForms.slice(0, 8)) {
      for (const make of hard) {
        const password = make(draw);
        const text = form(password);
        if (text.includes(password)) add("passwords with signs", text, [password]);
      }
    }
    for (const form of secretForms) {
      const key = draw.pick([
        () => draw(alnum, 32),
        () => `${draw(hex, 31)}7`,
        () => draw(alnum, 40),
        () => `${draw(alnum, 11)}7${draw(small, 8)}`,
      ])();
      add("named secrets", form(key), form(key).includes(key) ? [key] : [key.slice(0, 12), key.slice(12)]);
    }
    for (const { text, secrets } of privateKeys(draw)) add("private keys", text, secrets);
    for (const { text, secrets } of otherSecrets(draw)) add("addresses, codes and disguises", text, secrets);
  }
  return samples;
}

/** The parts of a secret that are still seen: every six characters in a row count. */
export function leftOf({ text, secrets }: SecretSample, masked: string): string | null {
  const redacted = masked.replaceAll(/\[redacted:[\w-]+\]/g, "\0");
  for (const secret of secrets) {
    const rest = text.replaceAll(secret, "");
    const width = Math.min(6, secret.length);
    for (let at = 0; at + width <= secret.length; at++) {
      const part = secret.slice(at, at + width);
      if (redacted.includes(part) && !rest.includes(part)) return part;
    }
  }
  return null;
}
