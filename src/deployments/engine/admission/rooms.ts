import type { Candidate } from './candidates.ts';
import type { BudgetGroup } from './ledger.ts';

/** How many robots may be admitted now, by each limit. */
interface Limits {
  inFlight: number; // further robots of the deployment, at the same time
  rate: number; // further robots of the deployment, now
  downloads: ReadonlyMap<string, number>; // robots that download, by site
  perSite: number; // robots that may download
  groups: ReadonlyMap<string, BudgetGroup>; // by `groupName`
}

/** Which limit keeps a robot from being admitted. */
export type Refusal = { by: 'in_flight' | 'rate' | 'site' } | { by: 'budget'; group: BudgetGroup | undefined };

/** The name of a group among those of all budgets; `budget`: index of its budget. */
export const groupName = (budget: number, key: string): string => `${budget} ${key}`;

/** What the limits leave for further robots, while robots are admitted one by one. */
export function createRooms({ inFlight, rate, downloads, perSite, groups }: Limits) {
  let admitted = 0;
  const taken = new Map<string, number>(); // by site, and by group
  const takenOf = (name: string) => taken.get(name) ?? 0;
  const take = (name: string) => taken.set(name, takenOf(name) + 1);

  /** Groups in which it would be one more unavailable robot. */
  const disturbed = ({ isUnavailable, groups: keys }: Candidate): string[] =>
    isUnavailable ? [] : keys.flatMap((key, budget) => (key === undefined ? [] : [groupName(budget, key)]));

  return {
    /** Undefined if the robot may be admitted. A robot that joined its group since the groups were counted may not. */
    refusalOf(candidate: Candidate): Refusal | undefined {
      if (admitted >= inFlight) return { by: 'in_flight' };
      if (admitted >= rate) return { by: 'rate' };
      if ((downloads.get(candidate.siteId) ?? 0) + takenOf(candidate.siteId) >= perSite) return { by: 'site' };
      const full = disturbed(candidate).find((name) => {
        const group = groups.get(name);
        return !group || group.unavailable + takenOf(name) >= group.allowed;
      });
      const group = full === undefined ? undefined : groups.get(full);
      if (full === undefined) return undefined;
      return { by: 'budget', group: group && { ...group, unavailable: group.unavailable + takenOf(full) } };
    },

    take(candidate: Candidate): void {
      admitted += 1;
      take(candidate.siteId);
      disturbed(candidate).forEach(take);
    },
  };
}
