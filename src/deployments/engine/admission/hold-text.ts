import type { RolloutPace } from '../../../rollout-policies/service.ts';
import type { ClosedWindows } from './download-windows.ts';
import type { Refusal } from './rooms.ts';
import type { Hold } from './store.ts';

/** What keeps online robots from being admitted, for people. */
export function holdBy(refusal: Refusal, pace: RolloutPace): Hold {
  switch (refusal.by) {
    case 'in_flight':
      return { by: 'pace', detail: `at most ${robots(pace.max_in_flight ?? 0)} at the same time` };
    case 'rate':
      return {
        by: 'pace',
        detail: `begins with ${pace.per_minute} robots per minute${pace.growth ? ', and grows' : ''}`,
      };
    case 'site':
      return {
        by: 'pace',
        detail: `at most ${robots(pace.downloads_per_site ?? 0)} of a site download at the same time`,
      };
    case 'budget': {
      const { group } = refusal;
      if (!group) return { by: 'budget', detail: undefined };
      const { budget, unavailable, total, allowed } = group;
      if (budget.missing !== undefined)
        return {
          by: 'budget',
          detail: `budget ${budget.name} holds all robots: ${budget.missing}; correct its selector`,
        };
      return {
        by: 'budget',
        detail: `budget ${budget.name}: ${unavailable} of ${robots(total)} are unavailable, at most ${allowed} may be`,
      };
    }
  }
}

/** What keeps robots from downloading now, if nothing keeps the others. */
export const closedHold = (closed: ClosedWindows | undefined): Hold | undefined =>
  closed && { by: 'window', detail: closed.opensAt && `opens at ${closed.opensAt.toISOString()}` };

const robots = (count: number): string => `${count} ${count === 1 ? 'robot' : 'robots'}`;
