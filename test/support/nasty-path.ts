import fc from "fast-check";

/** Random paths from parts that attackers and accidents put into them. */
export const nastyPath = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "..",
        "..",
        ".",
        "",
        "memory",
        "MEMORY.md",
        "a.md",
        "C:",
        "\\",
        "\\\\?\\",
        "nul",
        "~",
        "%2e%2e",
        " ",
        "...",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((parts) => fc.constantFrom("/", "\\", "/./", "//").map((between) => parts.join(between)));
