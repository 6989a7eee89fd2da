import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { makeCanaries, piecesOf } from "../../test/support/secret-canaries.ts";
import { createRandom } from "../eval/compare.ts";
import { redactInSlices, redactSecrets } from "./redact.ts";

const canaries = makeCanaries(320, createRandom(7));

test("nothing is left of a secret, whatever its shape and wherever it is", () => {
  for (const canary of canaries) {
    const { text, found } = redactSecrets(canary.text);
    assert.ok(!text.includes(canary.secret), `${canary.shape}: ${text}`);
    for (const piece of piecesOf(canary))
      assert.ok(!text.includes(piece), `${canary.shape}: ${piece} in ${text}`);
    assert.match(text, /\[redacted:[a-z-]+\]/, canary.shape);
    assert.ok(found.length >= 1);
  }
});

test("the text around a secret stays", () => {
  const key = `sk-proj-${"aB3".repeat(16)}`;
  const examples: [string, string][] = [
    [`Use ${key} today.`, "Use [redacted:openai-key] today."],
    [`OPENAI_API_KEY=${key}\nPORT=80`, "OPENAI_API_KEY=[redacted:openai-key]\nPORT=80"],
    [
      "curl -H 'Authorization: Bearer abcdef123456'",
      "curl -H 'Authorization: Bearer [redacted:authorization]'",
    ],
    ["postgres://me:p@ss@host/db", "postgres://[redacted:userinfo]@host/db"],
    [`{"password": "hunter2 it is", "port": 1}`, `{"password": "[redacted:assignment]", "port": 1}`],
    ["secret: password=letmein", "secret: password=[redacted:assignment]"],
    ["login --token abc123def456 --all", "login --token [redacted:assignment] --all"],
  ];
  for (const [given, expected] of examples) assert.equal(redactSecrets(given).text, expected);
});

test("a password in a sentence is masked whatever follows in the sentence", () => {
  for (const rest of [
    "",
    ".",
    " and the pin is here.",
    " and the city is Bonn",
    ", the wifi is in the hall",
  ]) {
    const { text } = redactSecrets(`My password is hunter2hunter2${rest}`);
    assert.equal(text, `My password is [redacted:assignment]${rest}`);
  }
});

test("a secret that touches its name is masked where the script needs no space", () => {
  for (const [before, after] of [
    ["密码", "和用户名admin"],
    ["wifi密码", "。"],
    ["密码（", "）"],
    ["パスワード", "です"],
    ["비밀번호", ""],
    ["пароль-", ", дальше"],
  ]) {
    const { text } = redactSecrets(`${before}hunter2x9Q${after}`);
    assert.equal(text, `${before}[redacted:assignment]${after}`);
  }
});

test("a password is masked in more languages, behind more words and with dots in it", () => {
  for (const before of [
    ..."slaptažodis parole parool geslo zaporka lykilorð contrasenya wagwoord گذرواژه পাসওয়ার্ড პაროლი".split(
      " ",
    ),
    "kata laluan",
    "senha",
  ].map((name) => `${name}: `)) {
    for (const value of ["hunter2x9Q", "Pa55.w0rt.Kaffee"])
      assert.equal(redactSecrets(before + value).text, `${before}[redacted:assignment]`);
  }
  for (const before of [
    "Passphrase for the disk = ",
    "The root password of db3 was changed to ",
    "identifiants : anna / ",
    "доступ: anna / ",
    "Wi-Fi: Kranich / ",
  ])
    assert.equal(redactSecrets(`${before}Zeppelin!42x`).text, `${before}[redacted:assignment]`);
  const words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  assert.equal(redactSecrets(`seed: ${words}`).text, "seed: [redacted:assignment]");
});

test("ordinary text stays as it is", () => {
  const image = `data:image/png;base64,${Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251)).toString("base64")}`;
  const plain = [
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id: 550e8400-e29b-41d4-a716-446655440000",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    image,
    "The secret: always write tests first. A token of thanks: flowers. My password? Ask me.",
    "The password: please reset it. Authorization: only admins may do that.",
    "max_tokens=4096, total_tokens: 128000, tokens: 400, token_count = 17",
    "const token = await readToken(request); const key = cache_key;",
    "token = request.headers.authorization; password=password, token=token",
    "function login(password: string, token?: string): boolean",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: people write it like this.
    "API_KEY=$OPENAI_API_KEY and password=${DB_PASSWORD} and token=<your-token>",
    "apiKey: process.env.OPENAI_API_KEY,",
    'export OPENAI_API_KEY=sk-... and api_key = "env:GEMINI_API_KEY"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: people write it like this.
    "headers: { Authorization: `Bearer ${getAuthToken()}` }, token: '/api/realtime/setup'",
    "https://example.test/path?user=a@b.test and mailto:a@b.test and ssh://git@example.test/a.git",
    "import { tokenizer } from './tokenizer.ts'; tokenizer: cl100k_base",
    "sk-fading-circle-container-with-many-words sk-learn",
    "see src/auth/token.ts:12 and token: src/auth/token.ts:12",
    "primary_key=user_id_1, sort-key: created_at_2",
    "pa-rather-long-words-joined-by-hyphens-that-never-seem-to-end",
    "pwd=/home/user1/work; PWD=/srv/app1",
    "password: k8s.prod.internal, password: Config.Db.password2, token: Base64url.encode",
    "seed: the words of the demo are in the wiki and not in this note, ask Anna for them",
    "Die Passwörter liegen im Safe. 密码在保险箱里。",
    "密码SHA256加密, 密码Bitwarden2024, 密码KeePassXC2.7, 令牌v1.2.3-beta.4, パスワードReset手順",
    "at 2026-03-01T10:00:00.000Z took 12345678:12 ms",
    "npm_config_registry npm_lifecycle_event hf_hub_download",
  ];
  for (const text of plain) assert.deepEqual(redactSecrets(text), { text, found: [] });
});

test("examples, names in code and numbers with a wrong checksum are not secrets", () => {
  for (const text of [
    "mysql://root:pass@localhost/db",
    "amqp://guest:xyz@broker",
    "<password></password>",
    "<password>string</password>",
    "password=password",
    "secret = mySecretToken",
    // Passes the checksum of cards, but without an issuer's prefix; and vice versa.
    "3100 0000 0000 0007",
    "4111 1111 1111 1112",
    "tool --token --verbose",
    "2024 as the password",
    "---- BEGIN SSH2 NOTHING",
    // Binary data: a byte that no text contains.
    `echo ${Buffer.from("password=hunter2hunter2\u0001 and more").toString("base64")} | base64 -d`,
  ]) {
    assert.equal(redactSecrets(text).text, text);
  }
});

test("a secret is masked completely in blocks, elements, tables, encodings and diffs", () => {
  const hidden = Buffer.from("password=hunter2hunter2\r\n\tport=80").toString("base64");
  for (const [text, expected] of [
    ["<password>Tr0ub4dor&3</password>", "<password>[redacted:assignment]</password>"],
    [
      "- password: |\n    hunter2one\n    second2\n- port: 1",
      "- password: |\n    [redacted:assignment]\n\n- port: 1",
    ],
    ["token:\n  x9Kq2vLm8Rt4Wz7Yp3Nc\n  next: 1", "token:\n  [redacted:assignment]\n  next: 1"],
    [`echo ${hidden} | base64 -d`, "echo [redacted:encoded-secret] | base64 -d"],
    [
      "| user | token |\n|---|---|\n| ann | staging |\n| bob | x9Kq2vLm8Rt4Wz7Yp3Nc |",
      "| user | token |\n|---|---|\n| ann | staging |\n| bob | [redacted:assignment] |",
    ],
    ["a=1&password=hunter2& b", "a=1&password=[redacted:assignment] b"],
    ["url?password=hunter2&x=1", "url?password=[redacted:assignment]&x=1"],
    ["mysql --password hunter2hunter2 db", "mysql --password [redacted:assignment] db"],
    ["Password: **hunter2hunter2**, then", "Password: **[redacted:assignment]**, then"],
    ["wifi guest / Sommer2024", "wifi guest / [redacted:assignment]"],
    [
      "changed the password from ab12cd34 to ef56gh78",
      "changed the password from [redacted:assignment] to [redacted:assignment]",
    ],
    [
      "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAABBBBCCCCDDDD\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\nafter",
      "[redacted:private-key]\n\n\nafter",
    ],
  ] as const) {
    assert.equal(redactSecrets(text).text, expected);
  }
});

test("a private key over many lines keeps its line breaks, even if its end was cut off", () => {
  const body = Array.from(
    { length: 20 },
    () => "MIIEowIBAAKCAQEA7d0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d",
  ).join("\r\n");
  const whole = `before\r\n-----BEGIN PRIVATE KEY-----\r\n${body}\r\n-----END PRIVATE KEY-----\r\nafter`;
  const cut = `before\n-----BEGIN OPENSSH PRIVATE KEY-----\n${body.replaceAll("\r", "")}\nthat was all of it`;
  for (const text of [whole, cut]) {
    const redacted = redactSecrets(text);
    assert.equal(redacted.text.split("\n").length, text.split("\n").length);
    assert.doesNotMatch(redacted.text, /MII|BEGIN/);
    assert.deepEqual(redacted.found, [{ kind: "private-key", line: 2 }]);
    assert.equal(redacted.text.split("\n").at(-1), text.split("\n").at(-1));
  }
});

test("keys of our own configuration are masked by their text, short ones are not", () => {
  const { text, found } = redactSecrets("a plain-looking one\nb hunter", {
    literals: ["plain-looking", "hunter", ""],
  });
  assert.equal(text, "a [redacted:configured-key] one\nb hunter");
  assert.deepEqual(found, [{ kind: "configured-key", line: 1 }]);
});

test("masking twice changes nothing and keeps every line", () => {
  const pieces = fc.constantFrom(
    ...canaries.map(({ text }) => text),
    "token=",
    "password: ",
    "\n",
    "\r\n",
    " ",
    '"',
    "'",
    "\\n",
    "://",
    "@",
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "[redacted:",
    "]",
    "a1b2C3d4e5",
    "eyJ",
    ".",
    "-",
    "_",
    "Bearer ",
    "Authorization: ",
    "sk-",
    "日本",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const once = redactSecrets(text);
      assert.deepEqual(redactSecrets(once.text), { text: once.text, found: [] });
      assert.equal(once.text.split("\n").length, text.split("\n").length);
    }),
    { seed: 11, numRuns: 2000 },
  );
});

test("texts that are crafted to be slow take linear time", () => {
  const units = [
    ...[
      "eyJ",
      "eyJaaaaaaaa.",
      "sk-",
      "sk-a-",
      "-",
      "_",
      "token=",
      'token="',
      "password: ",
      "://",
      "://a:",
      "a:b@",
    ],
    ...[
      "-----BEGIN PRIVATE KEY-----",
      "-----END ",
      "--token ",
      "Bearer ",
      "authorization: ",
      "authorization=a",
    ],
    ...[" ", "\\n", "AKIA", "SG.a", "A", "0", "xoxb-", "cookie: a=", "M0", "[redacted:", "token='a", "\n"],
    ...[
      "mysql ",
      "curl -u a ",
      "password is ",
      "| password |\n|---|\n",
      "password,",
      "the key is a1 ",
      "the token\n",
      "secret `",
    ],
    ...[
      "%3D",
      "\u200b",
      '"kty"',
      "key: |\n  a\n",
      '"+"',
      "4111 ",
      "PuTTY-User-Key-File-2: ",
      "echo a | sudo -S ",
    ],
    ...[
      "api key ",
      'token="\\',
      "password='a'b",
      "pass:",
      "<password>",
      "recovery codes: ",
      "token: [",
      "Zm9v",
    ],
    ...[
      "use a1b2c3 as the ",
      "### Password\n",
      "login a / b",
      "WIFI:T:a;",
      "setToken('",
      "密码是",
      "пароль ",
    ],
  ];
  redactSecrets("token=a ".repeat(20_000));
  for (const unit of units) {
    const [small, large] = [40_000, 160_000].map((size) => cpuMsOf(unit.repeat(size / unit.length)));
    // Four times the text: quadratic code would take sixteen times as long, about half a minute.
    assert.ok(large! <= 10 * Math.max(small!, 20), `${JSON.stringify(unit)}: ${small} ms, then ${large} ms`);
  }
});

/** The minimum of some runs, because other processes only ever add to it. */
function cpuMsOf(text: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    const { text: redacted } = redactSecrets(text);
    const { user } = process.cpuUsage(before);
    assert.equal(redacted.split("\n").length, text.split("\n").length);
    return user / 1000;
  });
  return Math.min(...runs);
}

test("a large text is masked in slices, with the same result", async () => {
  const text = Array.from(
    { length: 20_000 },
    (_, at) => `line ${at} of a note\npassword: hunter2-${at}`,
  ).join("\n");
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const sliced = await redactInSlices(text);
  clearInterval(timer);
  assert.deepEqual(sliced, redactSecrets(text));
  assert.ok(turns >= 5, `others had ${turns} turns`);
});
