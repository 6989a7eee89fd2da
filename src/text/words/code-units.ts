/** The UTF-16 code units of a text, followed by two of `endMark`. Valid until the next call. */
type CodeUnits = (text: string) => Uint16Array;

/** No character, so that a loop over letters or spaces ends at it. */
export const endMark = 0xffff;

/** A text of ordinary size; the array of a larger one is not kept. */
const keptUnits = 64 * 1024;

/** A loop over an array takes a fraction of the time of one over `charCodeAt`, above all before it is compiled. */
export function createCodeUnits(): CodeUnits {
  let kept = allocate(0);
  return (text) => {
    const unitCount = text.length + 2;
    let room = kept;
    if (room.units.length < unitCount) {
      room = allocate(Math.max(4096, unitCount > keptUnits ? unitCount : 2 * unitCount));
      if (unitCount <= keptUnits) kept = room;
    }
    const { units, bytes } = room;
    if (isLittleEndian) bytes.write(text, 0, "utf16le");
    else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
    units[text.length] = endMark;
    units[text.length + 1] = endMark;
    return units;
  };
}

function allocate(unitCount: number): { readonly units: Uint16Array; readonly bytes: Buffer } {
  const units = new Uint16Array(unitCount);
  return { units, bytes: Buffer.from(units.buffer) };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
