/** Makes a value when it is first asked for: tables that few texts need should not cost every start. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
