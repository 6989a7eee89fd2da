/** An object with some fields replaced. Getters stay getters, because some are slow and rarely needed. */
export function override<T extends object>(base: T, changes: Partial<T>): T {
  const fields = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(changes) };
  return Object.defineProperties({}, fields as PropertyDescriptorMap) as T;
}
