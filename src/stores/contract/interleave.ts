/**
 * Every order in which the steps of some actors can come, each actor's own steps in their order: `{a: 2, b: 1}` gives
 * aab, aba and baa.
 */
export function* interleave(steps: Readonly<Record<string, number>>): Generator<string> {
  const left = Object.entries(steps).filter(([, count]) => count > 0);
  if (left.length === 0) yield "";
  for (const [name, count] of left) {
    for (const rest of interleave({ ...steps, [name]: count - 1 })) yield name + rest;
  }
}
