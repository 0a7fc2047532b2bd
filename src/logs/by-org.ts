/** Items in their order, by the ID of their org. */
export function byOrg<T>(items: readonly T[], orgOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const orgId = orgOf(item);
    const group = groups.get(orgId);
    if (group) group.push(item);
    else groups.set(orgId, [item]);
  }
  return groups;
}
