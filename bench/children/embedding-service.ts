import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom } from "../../src/eval/compare.ts";

/** A slow embedding service with precomputed vectors. Sends its address to its parent, and exits with it. */
const [latencyMs = 50, dimensions = 1536] = process.argv.slice(2).map(Number);
const random = createRandom(9);
const vectors = Array.from({ length: 200 }, () => {
  const numbers = Float32Array.from({ length: dimensions }, () => random() * 0.2 - 0.1);
  return JSON.stringify(Buffer.from(numbers.buffer).toString("base64"));
});
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const arrivedMs = performance.now();
    const { input } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { input: string[] };
    const data = input.map(
      (text, index) => `{"index":${index},"embedding":${vectors[text.length % vectors.length]}}`,
    );
    const tokens = Math.round(input.join("").length / 4);
    const body = `{"data":[${data.join()}],"usage":{"total_tokens":${tokens}}}`;
    const send = (): void => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(body);
    };
    // The latency includes what this process needs, as that of a real service does.
    setTimeout(send, Math.max(0, latencyMs - (performance.now() - arrivedMs)));
  });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}/v1`);
});
