/** The items that apply, of a list with conditions such as `isLong && "It is long."`: false, null and "" are left out. */
export function compact<T>(items: readonly (T | false | null | undefined | "")[]): T[] {
  return items.filter(
    (item): item is T => item !== false && item !== null && item !== undefined && item !== "",
  );
}
