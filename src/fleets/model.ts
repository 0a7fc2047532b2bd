/** Robots of one site that are deployed to together. */
export interface Fleet {
  id: string;
  name: string;
  siteId: string;
  createdAt: Date;
}

export interface FleetFilter {
  name?: string | undefined;
  siteId?: string | undefined;
}

/** What a fleet has, by number. */
export interface FleetContent {
  robots: number;
  retired: number; // robots
  keys: number; // enrollment keys that can be used
  deployments: number; // scheduled or active
}

/** The parts of a fleet that keep it from being deleted, and how to remove them; undefined for none. */
export function obstacleOf({ robots, retired, keys, deployments }: FleetContent): string | undefined {
  const parts = [
    { count: robots, what: 'robot', next: 'move or remove them' },
    { count: retired, what: 'retired robot', next: 'move or remove them' },
    { count: keys, what: 'valid enrollment key', next: 'revoke them' },
    { count: deployments, what: 'scheduled or active deployment', next: 'cancel them or wait for their end' },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return undefined;
  const has = parts.map(({ count, what }) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
  return `${has}; ${[...new Set(parts.map(({ next }) => next))].join(', ')} first`;
}
