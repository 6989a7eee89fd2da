// Loaded before a program (`--import`): writes down every address that it, its threads and its children try to reach,
// and lets none through.
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
    // To listen on an address, Node looks that address up; nobody is asked for it.
    holder[name] = (host, ...rest) =>
      net.isIP(host) ? original(host, ...rest) : refuse(`dns.${name} ${host}`);
  }
}
syncBuiltinESMExports();
