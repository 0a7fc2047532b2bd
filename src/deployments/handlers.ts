import type { Handlers } from '../platform/http/operation.ts';

const later = (): Promise<never> => Promise.reject(new Error('not built yet'));

export const deploymentHandlers = () =>
  ({
    listDeployments: later,
    createDeployment: later,
    getDeployment: later,
    listDeploymentTargets: later,
    listDeploymentEvents: later,
    cancelDeployment: later,
    listConfigDeployments: later,
    createConfigDeployment: later,
    getConfigDeployment: later,
    listConfigDeploymentTargets: later,
    listConfigDeploymentEvents: later,
    cancelConfigDeployment: later,
    getPayload: later,
  }) satisfies Partial<Handlers>;
