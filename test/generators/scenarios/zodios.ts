import { randomUUID } from 'node:crypto';
import { isErrorFromAlias } from '@zodios/core';
import type { z } from 'zod';
import { api, createApiClient, type schemas } from './client';
import type { Refusal, Seen } from './seen';

/** Every answer is held against its schema on the way in, every call on the way out. */
export async function scenario(baseUrl: string, token: string): Promise<Seen> {
  const fleetApi = createApiClient(baseUrl, {
    validate: true,
    axiosConfig: { headers: { Authorization: `Bearer ${token}` } },
  });
  const whoami = (await fleetApi.getWhoami()).data;
  const site = (await fleetApi.createSite({ name: 'Kobe' })).data;
  const fleet = (await fleetApi.createFleet({ name: 'pickers', site_id: site.id })).data;
  const key = (await fleetApi.createEnrollmentKey({ site_id: site.id, fleet_id: fleet.id, max_uses: 3 })).data;

  const pages: z.infer<typeof schemas.Robot>[][] = [];
  let cursor: string | undefined;
  do {
    const page = await fleetApi.listRobots({ queries: { limit: 2, ...(cursor && { cursor }) } });
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const missing = await fleetApi.getRobot({ params: { id: 'nobody' } }).then(nothing, (error: unknown): Refusal => {
    if (!isErrorFromAlias(api.api, 'getRobot', error)) throw error;
    return { status: error.response.status, ...error.response.data.error };
  });
  const refused = await fleetApi
    .listRobots({ queries: { limit: 2, cursor: 'nonsense' } })
    .then(nothing, (error: unknown): Refusal => {
      if (!isErrorFromAlias(api.api, 'listRobots', error)) throw error;
      // To it a 304, which has no body, is an error too.
      if (!error.response.data) throw error;
      return { status: error.response.status, ...error.response.data.error };
    });

  const release = (
    await fleetApi.createRelease({ artifact_sha256: 'ab'.repeat(32), artifact_size: 7, tag: 'nav-1', kind: 'file' })
  ).data;
  const headers = { 'Idempotency-Key': randomUUID() };
  const order = { release_id: release.id, target_kind: 'fleet', target_id: fleet.id } as const;
  const first = (await fleetApi.createDeployment(order, { headers })).data;
  const again = (await fleetApi.createDeployment(order, { headers })).data;

  return {
    org: whoami.orgs[0]?.name,
    site: site.name,
    fleet: fleet.name,
    key: key.value.slice(0, 11),
    robots: pages.map((page) => page.map(({ name }) => name)),
    missing,
    refused,
    deploymentAgain: first.id === again.id,
    target: first.target_kind,
  };
}

function nothing(): never {
  throw new Error('it was not refused');
}
