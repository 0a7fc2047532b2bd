import type { Handlers } from '../platform/http/operation.ts';

export const timelineHandlers = () =>
  ({
    async listRobotTimeline() {
      throw new Error('not built yet');
    },
  }) satisfies Pick<Handlers, 'listRobotTimeline'>;
