import assert from "node:assert/strict";
import { test } from "node:test";
import { isSessionAllowed, type SessionRules } from "./choose-engine.ts";

const direct: SessionRules = {
  default: "deny",
  rules: [{ action: "allow", match: { chatType: "direct" } }],
};

const cases: readonly [key: string | undefined, rules: SessionRules, allowed: boolean][] = [
  [undefined, direct, true],
  ["agent:main:main", direct, true],
  ["agent:main:telegram:dm:7", direct, true],
  ["agent:main:telegram:group:7", direct, false],
  ["agent:main:discord:channel:7", direct, false],
  ["agent:main:discord:channel:7", { default: "allow", rules: [] }, true],
  [
    "agent:main:discord:channel:7",
    { default: "allow", rules: [{ action: "deny", match: { channel: "Discord" } }] },
    false,
  ],
  [
    "agent:main:discord:channel:7",
    {
      default: "deny",
      rules: [
        { action: "deny", match: { channel: "discord", chatType: "group" } },
        { action: "allow", match: { keyPrefix: "discord:channel:" } },
      ],
    },
    true,
  ],
  ...["agent:main:slack:channel:7", "agent:main:discord:channel:7"].map((key): (typeof cases)[number] => [
    key,
    { default: "allow", rules: [{ action: "deny", match: { rawKeyPrefix: "agent:main:discord:" } }] },
    key.includes("slack"),
  ]),
  [
    "agent:main:discord:channel:7",
    { default: "deny", rules: [{ action: "allow", match: { rawKeyPrefix: "discord:" } }] },
    false,
  ],
  ["agent:main:slack:group:1", { default: "deny", rules: [{ match: { chatType: "any" } }] }, true],
];

for (const [key, rules, allowed] of cases) {
  test(`${key ?? "no key"} is ${allowed ? "allowed" : "denied"} by ${JSON.stringify(rules)}`, () => {
    assert.equal(isSessionAllowed(rules, key), allowed);
  });
}
