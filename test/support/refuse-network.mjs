// Loaded before a program (`--import`): records every address that the program, its threads and its child processes try
// to reach, and blocks all of them.
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const log = process.env["NETWORK_LOG"];

function refuse(what) {
  appendFileSync(log, `${what}\n`);
  throw new Error(`the network is closed: ${what}`);
}

net.Socket.prototype.connect = (...args) => refuse(`connect ${JSON.stringify(args[0])}`);
for (const holder of [dns, dns.promises]) {
  for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) {
    const original = holder[name];
    // Node looks an address up to listen on it, which sends nothing.
    holder[name] = (host, ...rest) =>
      net.isIP(host) ? original(host, ...rest) : refuse(`dns.${name} ${host}`);
  }
}
syncBuiltinESMExports();
