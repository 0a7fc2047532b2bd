/** The worlds of this worker that are not yet disposed of, by name. */
export const openWorlds = new Set<string>();
