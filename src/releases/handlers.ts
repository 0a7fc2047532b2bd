import type { Handlers } from '../platform/http/operation.ts';

const later = (): Promise<never> => Promise.reject(new Error('not built yet'));

export const releaseHandlers = () =>
  ({
    listReleases: later,
    createRelease: later,
  }) satisfies Partial<Handlers>;
