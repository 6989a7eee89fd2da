import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProfile, cloudServiceOf } from "./environment-checks.ts";

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

test("a state folder in a synchronized one is found by the names of the services", () => {
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
