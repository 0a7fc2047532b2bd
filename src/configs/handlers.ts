import type { Handlers } from '../platform/http/operation.ts';

const later = (): Promise<never> => Promise.reject(new Error('not built yet'));

export const configHandlers = () =>
  ({
    listConfigs: later,
    setConfig: later,
    listConfigRevisions: later,
  }) satisfies Partial<Handlers>;
