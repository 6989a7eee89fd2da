/** An object with some of its fields replaced. Getters stay getters: some take long, and not everybody asks. */
export function override<T extends object>(base: T, changes: Partial<T>): T {
  const fields = { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(changes) };
  return Object.defineProperties({}, fields as PropertyDescriptorMap) as T;
}
