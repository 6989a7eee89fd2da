import { readdirSync, readFileSync } from "node:fs";

/** The resources of a process; all zero without /proc. */
export interface Footprint {
  readonly megabytes: number;
  readonly peakMegabytes: number;
  readonly handles: number;
}

export function readFootprint(pid: number): Footprint {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const megabytesOf = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
    return {
      megabytes: megabytesOf("VmRSS"),
      peakMegabytes: megabytesOf("VmHWM"),
      handles: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return { megabytes: 0, peakMegabytes: 0, handles: 0 };
  }
}

/** Samples repeatedly, because nothing can be read once a process has ended. */
export function followFootprint(pid: number): Disposable & { readonly peakMegabytes: number } {
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, readFootprint(pid).peakMegabytes);
  }, 100);
  return {
    get peakMegabytes() {
      return peakMegabytes;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
