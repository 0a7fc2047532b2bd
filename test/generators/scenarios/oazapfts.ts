import { randomUUID } from 'node:crypto';
import { HttpError, ok } from '@oazapfts/runtime';
import * as fleetApi from './client';
import type { Refusal, Seen } from './seen';

export async function scenario(baseUrl: string, token: string): Promise<Seen> {
  fleetApi.defaults.baseUrl = baseUrl;
  fleetApi.defaults.headers = { Authorization: `Bearer ${token}` };
  const whoami = (await ok(fleetApi.getWhoami())).data;
  const site = (await ok(fleetApi.createSite({ name: 'Kobe' }))).data;
  const fleet = (await ok(fleetApi.createFleet({ name: 'pickers', site_id: site.id }))).data;
  const key = (await ok(fleetApi.createEnrollmentKey({ site_id: site.id, fleet_id: fleet.id, max_uses: 3 }))).data;

  const pages: fleetApi.Robot[][] = [];
  let cursor: string | undefined;
  do {
    const page = await ok(fleetApi.listRobots({ limit: 2, ...(cursor && { cursor }) }));
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const missing = await fleetApi.getRobot('nobody');
  if (missing.status !== 404) throw new Error(`not 404 but ${missing.status}`);

  const release = (
    await ok(fleetApi.createRelease({ artifact_sha256: 'ab'.repeat(32), artifact_size: 7, tag: 'nav-1', kind: 'file' }))
  ).data;
  const idempotencyKey = randomUUID();
  const order = { release_id: release.id, target_kind: 'fleet', target_id: fleet.id } as const;
  const first = (await ok(fleetApi.createDeployment(idempotencyKey, order))).data;
  const again = (await ok(fleetApi.createDeployment(idempotencyKey, order))).data;

  return {
    org: whoami.orgs[0]?.name,
    site: site.name,
    fleet: fleet.name,
    key: key.value.slice(0, 11),
    robots: pages.map((page) => page.map(({ name }) => name)),
    missing: { status: missing.status, ...missing.data.error },
    refused: await ok(fleetApi.listRobots({ limit: 2, cursor: 'nonsense' })).then(nothing, refusal),
    deploymentAgain: first.id === again.id,
    target: first.target_kind,
  };
}

function refusal(error: unknown): Refusal {
  if (!(error instanceof HttpError)) throw error;
  return { status: error.status, ...(error.data as fleetApi.Error).error };
}

function nothing(): never {
  throw new Error('it was not refused');
}
