/** Identifies the code that is loaded: the build replaces it with a checksum of the package. */
export const buildId: string = "unbuilt-unbuilt-";

/** Sources change while a process runs them, so it answers only for itself. */
export const isBuilt: boolean = !buildId.startsWith("unbuilt");
