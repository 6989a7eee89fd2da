/** A unique word that is one token for every analyzer, and that no stemmer changes. */
export function uniqueWord(name: string, number: number): string {
  const letters = "bcfhjkmpqv";
  return `zq${[...`${name.replace(/\D/g, "")}${String(number).padStart(6, "0")}`].map((digit) => letters[Number(digit)]).join("")}x`;
}
