import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { checkProfile, cloudServiceOf } from "./environment-checks.ts";

test("on Windows a state folder outside the user's profile is reported, with the command that restricts it", () => {
  const home = "C:\\Users\\ann";
  const open = { platform: "win32", listAccess: () => "" } as const;
  for (const inside of ["C:\\Users\\ann\\.longhand", "c:\\users\\Ann\\x\\y", home])
    assert.equal(checkProfile(inside, home, open), null, inside);
  for (const outside of ["D:\\state", "C:\\Users\\annabel\\.longhand", "\\\\nas\\state", "C:\\longhand"]) {
    const check = checkProfile(outside, home, open);
    assert.equal(check?.ok, false, outside);
    // cmd and PowerShell have different syntax for variables, so the command contains none.
    assert.match(check?.fix ?? "", /icacls [^%$]*$/);
  }
  assert.equal(checkProfile("/srv/state", "/home/ann", { ...open, platform: "linux" }), null);
});

test("a state folder outside the user's profile passes once only this user may open it", () => {
  const user = userInfo().username;
  const end = "\r\n\r\nSuccessfully processed 1 files; Failed processing 0 files\r\n";
  const check = (...accounts: string[]) =>
    checkProfile("D:\\my state", "C:\\Users\\ann", {
      platform: "win32",
      listAccess: (folder) => `${folder} ${accounts.join("\r\n           ")}${end}`,
    });
  const own = `KILN\\${user.toUpperCase()}:(OI)(CI)(F)`;
  const system = "NT AUTHORITY\\SYSTEM:(I)(OI)(CI)(F)";
  assert.equal(check(own), null);
  assert.equal(check(system, own), null);
  for (const other of ["BUILTIN\\Users:(I)(OI)(CI)(RX)", "Everyone:(R)", `KILN\\not${user}:(OI)(CI)(IO)(M)`])
    for (const accounts of [[other], [own, other], [other, own, system]])
      assert.equal(check(...accounts)?.ok, false, accounts.join());
  assert.equal(check(system)?.ok, false);
});

test("a state folder in a synchronised folder is recognised by the names of the services", () => {
  const folders = {
    "/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/state": "iCloud Drive",
    "C:\\Users\\ann\\iCloudDrive\\state": "iCloud Drive",
    "/Users/ann/Library/CloudStorage/GoogleDrive-ann@example.com/My Drive": "GoogleDrive",
    "/Users/ann/Library/CloudStorage/OneDrive-Personal": "OneDrive",
    "C:\\Users\\ann\\OneDrive\\Documents\\state": "OneDrive",
    "C:\\Users\\ann\\OneDrive - Kiln Ltd\\state": "OneDrive - Kiln Ltd",
    "/home/ann/Dropbox/state": "Dropbox",
  };
  for (const [folder, service] of Object.entries(folders)) assert.equal(cloudServiceOf(folder), service);
  for (const folder of [
    "/home/ann/.longhand",
    "C:\\Users\\ann\\.longhand",
    "/srv/CloudStorage",
    "/home/ann/dropboxes",
  ])
    assert.equal(cloudServiceOf(folder), null, folder);
});
