/** The agent that has the default workspace. */
export const mainAgentId = "main";
