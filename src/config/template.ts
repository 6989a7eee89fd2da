/** What `longhand init` writes when there is no configuration yet: nothing is set, everything is an example. */
export const configTemplate = `// Configuration of longhand, in JSON5: comments and trailing commas are fine.
// Everything has a default, so this file may stay as it is. Change it here, or with: longhand config set KEY VALUE
// All settings in effect: longhand config      A schema for editors: longhand config schema
{
  agents: {
    defaults: {
      // userTimezone: "Europe/Berlin",          // decides which day a note belongs to; default: the system's
      memorySearch: {
        // query: { maxResults: 6, minScore: 0.35 },
      },
    },
    // What holds for one folder alone: "longhand adopt" and "longhand config set --project" write here.
    // list: [
    //   {
    //     id: "work",
    //     workspace: "~/projects/memory",
    //     memorySearch: {
    //       extraPaths: ["../docs"],            // more folders or files with Markdown, relative to the workspace
    //       exclude: ["memory/drafts/"],        // left out, in the syntax of .gitignore
    //     },
    //   },
    // ],
  },
}
`;
