import { allowsResident } from "../../config/resident-socket.ts";
import type { GlobalOptions } from "../command.ts";
import { isBuilt } from "./build-id.ts";

/** Lets this process provide a resident until it is disposed. It does not wait for that, and never fails. */
export function offerResident(globals: GlobalOptions): Disposable {
  if (!isBuilt || !allowsResident()) return { [Symbol.dispose]() {} };
  const kept = import("./keep-resident.ts").then(({ keepResident }) => keepResident(globals));
  kept.catch(() => {});
  return {
    [Symbol.dispose]() {
      kept.then(
        (resident) => resident[Symbol.dispose](),
        () => {},
      );
    },
  };
}
