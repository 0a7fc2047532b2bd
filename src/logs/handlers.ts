import type { Handlers } from '../platform/http/operation.ts';

export const logHandlers = () =>
  ({
    async listRobotLogs() {
      throw new Error('not built yet');
    },
    async listFleetLogs() {
      throw new Error('not built yet');
    },
  }) satisfies Pick<Handlers, 'listRobotLogs' | 'listFleetLogs'>;
