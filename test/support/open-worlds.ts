/** The worlds of this worker that are not disposed of yet, by name. */
export const openWorlds = new Set<string>();
