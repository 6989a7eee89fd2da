import assert from "node:assert/strict";
import { test } from "node:test";
import { createBrowserSessions } from "./browser-sessions.ts";

test("A link is valid once, and its cookie stays valid", () => {
  const sessions = createBrowserSessions({ port: () => 4755 });
  const [link, other] = [sessions.createLink(), sessions.createLink()];
  assert.notEqual(link, other);
  assert.equal(sessions.redeem(`${link}x`), null);
  const cookie = sessions.redeem(link)!.split(";")[0]!;
  assert.ok(!cookie.includes(link));
  assert.equal(sessions.redeem(link), null);
  assert.ok(sessions.has({ cookie }));
  assert.ok(sessions.has({ cookie: `a=b; ${cookie}; longhand_4756=${"x".repeat(43)}` }));
  for (const wrong of [
    "",
    `${cookie}x`,
    cookie.replace("4755", "4756"),
    `x${cookie}`,
    `longhand_4755=${link}`,
  ]) {
    assert.equal(sessions.has({ cookie: wrong }), false, wrong);
  }
  assert.equal(sessions.has({}), false);
  assert.notEqual(sessions.redeem(other), null);
});

test("The oldest unused links are dropped for new ones", () => {
  const sessions = createBrowserSessions({ port: () => 1 });
  const links = Array.from({ length: 200 }, () => sessions.createLink());
  assert.equal(sessions.redeem(links[0]!), null);
  assert.notEqual(sessions.redeem(links.at(-1)!), null);
});
