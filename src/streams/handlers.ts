import type { Handlers } from '../platform/http/operation.ts';

export const presenceHandlers = () =>
  ({
    async getRobotHealth() {
      throw new Error('not built yet');
    },
  }) satisfies Pick<Handlers, 'getRobotHealth'>;
