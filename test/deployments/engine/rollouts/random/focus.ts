import type { Operation, Scenario, ScenarioRobot } from './scenario.ts';

/** Robots of one hall with agents that can do everything; each `offline`th is offline. */
export const fleet = (count: number, offline: number): ScenarioRobot[] =>
  Array.from({ length: count }, (_each, index) => ({
    tier: 'usual',
    hall: '1',
    zone: undefined,
    isModern: true,
    isOnline: (index + 1) % offline > 0,
  }));

/**
 * Scenarios without budgets, whose rollouts all have these terms: two waves unless they say it otherwise. The steps happen
 * six times over.
 */
export const rolledOut = (terms: object, steps: Operation[], robots = fleet(20, 5)): Partial<Scenario> => ({
  robots,
  budgets: [],
  steps: Array.from({ length: 6 }, () => steps).flat(),
  rollouts: [{ waves: [{ count: 10 }], ...terms }],
});

/** Rollouts that people approve, until some robots have applied it. */
export const approved = (approval: object, advance: object = {}) =>
  rolledOut({ approval, advance: { applied_percent: 10, ...advance } }, ['approve', 'work', 'work']);

/** Rollouts that end with the first robot that counts as failed for this reason, and only then. */
export const endedBy = (reason: string, terms: object) => ({
  advance: { applied_percent: 0 },
  abort: [{ reasons: [reason], count: 1, action: 'cancel' }],
  ...terms,
});

/** Rollouts in windows at night, in which some zones are at each time of the day, and others are not. */
export const nights = (part: 'download' | 'activate'): Partial<Scenario> => ({
  budgets: [],
  rollouts: [{ waves: [{ percent: 100 }], windows: { [part]: [{ cron: '0 0 * * *', duration: '6h' }] } }],
  steps: ['work', 'work'],
});
