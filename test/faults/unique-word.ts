/** A word that is nowhere else, is one token for every analyzer and has no ending that could be cut off. */
export function uniqueWord(name: string, number: number): string {
  const letters = "bcfhjkmpqv";
  return `zq${[...`${name.replace(/\D/g, "")}${String(number).padStart(6, "0")}`].map((digit) => letters[Number(digit)]).join("")}x`;
}
