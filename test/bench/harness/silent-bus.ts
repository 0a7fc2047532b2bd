import type { Bus } from '../../../src/platform/bus/bus.ts';

/** No hints: one engine, and nobody waits for what it tells others. */
export const silentBus: Bus = {
  up: true,
  announcing: () => [],
  deliver: () => undefined,
  subscribe: () => undefined,
};
