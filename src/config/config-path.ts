import { findPlaces, type PlacesRequest } from "./places.ts";

/** Where the configuration file is looked for, whether or not it is there. Absolute. */
export function findConfigPath(request: PlacesRequest): string {
  return findPlaces(request).configPath;
}
