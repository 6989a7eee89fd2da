import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProfile } from "./environment-checks.ts";

test("on Windows a state folder outside the user's own is reported, with the command that closes it", () => {
  const home = "C:\\Users\\ann";
  for (const inside of ["C:\\Users\\ann\\.longhand", "c:\\users\\Ann\\x\\y", home])
    assert.equal(checkProfile(inside, home, "win32"), null, inside);
  for (const outside of ["D:\\state", "C:\\Users\\annabel\\.longhand", "\\\\nas\\state", "C:\\longhand"]) {
    const check = checkProfile(outside, home, "win32");
    assert.equal(check?.ok, false, outside);
    // cmd and PowerShell write variables in different ways, so it has none.
    assert.match(check?.fix ?? "", /icacls [^%$]*$/);
  }
  assert.equal(checkProfile("/srv/state", "/home/ann", "linux"), null);
});
