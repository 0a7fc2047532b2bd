import type { Knex } from 'knex';
import type { Call, Handlers } from '../../platform/http/dispatch/operation.ts';
import { changed } from '../api/audit-facts.ts';
import type { DeploymentKind } from '../api/views.ts';
import type { ControlService } from './service.ts';

export const deploymentControlHandlers = (controls: (db: Knex) => ControlService) => {
  const cancel = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params }: Pick<Call<'cancelDeployment'>, 'caller' | 'db' | 'params'>,
  ) => {
    const { before, after, announce } = await controls(db).cancel(caller.orgId, deploymentKind, params.id);
    return {
      status: 200 as const,
      body: { data: after },
      ...changed(caller.orgId, deploymentKind, before, after, announce),
    };
  };

  const control = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    to: 'paused' | 'resumed',
    { caller, db, params, body }: Controlling,
  ) => {
    const wish = { to, reason: body?.reason };
    const { before, after, announce } = await controls(db).control(caller.orgId, deploymentKind, params.id, wish);
    return {
      status: 200 as const,
      body: { data: after },
      ...changed(caller.orgId, deploymentKind, before, after, announce),
    };
  };

  const advance = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params, body }: Controlling,
  ) => {
    const { before, after, announce } = await controls(db).advance(
      caller.orgId,
      deploymentKind,
      params.id,
      body?.reason,
    );
    return {
      status: 200 as const,
      body: { data: after },
      ...changed(caller.orgId, deploymentKind, before, after, announce),
    };
  };

  const skip = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params, body }: Pick<Call<'skipDeploymentWave'>, 'caller' | 'db' | 'params' | 'body'>,
  ) => {
    const { before, after, announce } = await controls(db).skip(caller.orgId, deploymentKind, params.id, body);
    return {
      status: 200 as const,
      body: { data: after },
      ...changed(caller.orgId, deploymentKind, before, after, announce, body.reason),
    };
  };

  const setWaves = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params, body }: Pick<Call<'setDeploymentWaves'>, 'caller' | 'db' | 'params' | 'body'>,
  ) => {
    const { before, after, announce } = await controls(db).setWaves(caller.orgId, deploymentKind, params.id, body);
    return {
      status: 200 as const,
      body: { data: after },
      ...changed(caller.orgId, deploymentKind, before, after, announce, body.reason),
    };
  };

  return {
    cancelDeployment: (call) => cancel('release', call),
    pauseDeployment: (call) => control('release', 'paused', call),
    resumeDeployment: (call) => control('release', 'resumed', call),
    advanceDeployment: (call) => advance('release', call),
    skipDeploymentWave: (call) => skip('release', call),
    setDeploymentWaves: (call) => setWaves('release', call),

    cancelConfigDeployment: (call) => cancel('config', call),
    pauseConfigDeployment: (call) => control('config', 'paused', call),
    resumeConfigDeployment: (call) => control('config', 'resumed', call),
    advanceConfigDeployment: (call) => advance('config', call),
    skipConfigDeploymentWave: (call) => skip('config', call),
    setConfigDeploymentWaves: (call) => setWaves('config', call),
  } satisfies Partial<Handlers>;
};

/** A call that controls a deployment of either kind, with a reason for people. */
type Controlling = Pick<Call<'pauseDeployment'>, 'caller' | 'db' | 'params' | 'body'>;
