/** What `longhand init` writes when there is no configuration yet: nothing is set, everything is an example. */
export const configTemplate = `// Configuration of longhand, in JSON5: comments and trailing commas are fine.
// Everything has a default, so this file may stay as it is. Take the slashes away to change something.
// All settings, in effect here: longhand config      A schema for editors: longhand config schema
{
  agents: {
    defaults: {
      // userTimezone: "Europe/Berlin",          // decides which day a note belongs to; default: the system's
      memorySearch: {
        // extraPaths: ["~/notes"],              // more folders or files with Markdown
        // exclude: ["memory/drafts/"],          // left out, in the syntax of .gitignore
        // query: { maxResults: 6, minScore: 0.35 },
      },
    },
    // list: [{ id: "work", workspace: "~/projects/memory" }],
  },
}
`;
