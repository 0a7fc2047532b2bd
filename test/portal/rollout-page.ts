import { expect } from 'vitest';
import type { PageAnswer } from '../support/browser.ts';
import { fleetReader, startPortalWorld } from '../support/portal-fleet.ts';
import { apply, view, work } from '../deployments/engine/rollbacks/support.ts';
import { deploymentWorldOn, only, type DeploymentWorld, type LinkedRobot } from '../deployments/engine/support.ts';

/** A fleet whose orders the test carries out, in a world with a person who reads its pages. */
export async function startRolloutPages() {
  const it = await deploymentWorldOn(await startPortalWorld());
  const reader = await fleetReader(it.world);
  return {
    it,
    ...reader,
    /** The page of a deployment of a release. */
    page: (id: string): Promise<PageAnswer> => reader.get(`/deployments/release/${id}`),
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

/** The cells of each row of a table, without markup. */
export function rowsOfTable(text: string, title: string): string[][] {
  const [, markup = ''] = text.split(`aria-label="${title}"`);
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(markup) ?? [];
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)));
}

/** Text without markup, with instants as `<at>`. */
export const plain = (markup: string): string =>
  markup
    .replace(/<time[^>]*>[^<]*<\/time>/g, '(at)')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.)])|(?<=\() /g, '')
    .trim();

const rollout = {
  waves: [{ name: 'canaries', count: 2 }, { count: 2 }],
  advance: { applied_percent: 50, min_ended: 2 },
  abort: [{ reasons: ['failed', 'timed_out'], count: 3, within: '1h', action: 'cancel' }],
};

/** A rollout to six robots in three waves, in the second of which one robot failed and one has the order; all ran another release. */
export async function startSecondWave(it: DeploymentWorld, more: object = {}): Promise<{ id: string; failed: string }> {
  const links = await it.robots(6);
  for (const [index, { robotId }] of links.entries())
    await it
      .db('robots')
      .where({ id: robotId })
      .update({ name: `amr-${index + 1}` });
  await apply(it, links, { fleet: it.fleetId });
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout: { ...rollout, ...more } });
  await it.reaches(id, 'pending');
  await work(it, links);
  await expect.poll(async () => (await view(it, id)).rollout.wave, { interval: 20 }).toBe(2);
  const orders = await it.handOut(links);
  const robot = links.find(({ robotId }) => (orders.get(robotId) ?? []).length > 0) as LinkedRobot; // two of them
  await it.report(robot, { orderId: only(orders, robot).orderId, status: 'failed', message: 'disk full' });
  return { id, failed: robot.robotId };
}

export const pause = (it: DeploymentWorld, id: string, reason: string) =>
  it.world.call('POST', `/api/deployments/${id}/pause`, { body: { reason } });
