import { expect } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { only, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';

export interface ApprovalWorld extends DeploymentWorld {
  links: LinkedRobot[];
  digest: string;
  releaseId: string;
  /** A token of a new person. */
  person(name: string, role?: string): Promise<string>;
  /** Deploys the release to the fleet with this rollout, as the org. Gives the ID. */
  order(rollout: object, more?: object): Promise<string>;
  /** Approves or rejects what the deployment waits for, by the hash and the wave that are read first. */
  decide(id: string, token: string, more?: object): Promise<{ status: number; body: any }>; // eslint-disable-line @typescript-eslint/no-explicit-any -- any body
  view(id: string): Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- any field
  /** The time for which it waits for approval passes. */
  runOut(id: string): Promise<void>;
  /** All robots that have the order apply it. */
  work(): Promise<number>;
}

/** Two in the first wave, the others in the second. */
export const twoWaves = { waves: [{ count: 2 }] };

export async function startApprovals(robots = 4): Promise<ApprovalWorld> {
  const it = await startIsolatedDeploymentWorld();
  const make = factories(it.world);
  const links = await it.robots(robots);
  const release = await it.release();
  const view = async (id: string) => (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
  return {
    ...it,
    links,
    digest: release.sha256,
    releaseId: release.id,
    person: async (name, role = 'operator') => make.userToken(role, `${name}@example.com`),
    async order(rollout, more = {}) {
      return it.deploy(
        { releaseId: release.id },
        { fleet: it.fleetId },
        { rollout: { ...twoWaves, ...rollout }, ...more },
      );
    },
    async decide(id, token, more = {}) {
      const { plan_id: planId, approval } = await view(id);
      const { hash } = (await it.world.call('GET', `/api/deployment-plans/${planId}`)).body.data;
      const body = { decision: 'approve', plan_hash: hash, wave: approval?.wave, ...more };
      return it.world.call('POST', `/api/deployments/${id}/approvals`, { token, body });
    },
    view,
    async runOut(id) {
      await it
        .db('deployments')
        .where({ id })
        .update({ approval_expires_at: it.db.raw("now() - interval '1 ms'") });
    },
    async work() {
      const orders = await it.handOut(links);
      const busy = links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0);
      for (const robot of busy)
        await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest: release.sha256 });
      return busy.length;
    },
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

/** Waits until a deployment waits for approval of this wave. */
export const awaits = (it: ApprovalWorld, id: string, wave: number) =>
  expect.poll(async () => (await it.view(id)).approval?.wave as unknown, { interval: 20 }).toBe(wave);
