import type { Bus } from '../../../src/platform/bus/bus.ts';

/** No hints: one engine, and nobody waits for what it tells others. */
export const silentBus: Bus = {
  up: true,
  announcing: () => ({ closing: [], onCommit: () => undefined }),
  send: async () => undefined,
  deliver: () => undefined,
  subscribe: () => undefined,
};
