import { randomUUID } from 'node:crypto';
import type { Error as Envelope, Robot } from './client';
import {
  createDeployment,
  createEnrollmentKey,
  createFleet,
  createRelease,
  createSite,
  getRobot,
  getWhoami,
  listRobots,
} from './client';
import { createClient } from './client/client';
import type { Refusal, Seen } from './seen';

export async function scenario(baseUrl: string, token: string): Promise<Seen> {
  const client = createClient({ baseUrl, auth: token });
  const throwOnError = true;
  const whoami = (await getWhoami({ client, throwOnError })).data.data;
  const site = (await createSite({ client, throwOnError, body: { name: 'Kobe' } })).data.data;
  const fleet = (await createFleet({ client, throwOnError, body: { name: 'pickers', site_id: site.id } })).data.data;
  const key = (
    await createEnrollmentKey({ client, throwOnError, body: { site_id: site.id, fleet_id: fleet.id, max_uses: 3 } })
  ).data.data;

  const pages: Robot[][] = [];
  let cursor: string | undefined;
  do {
    const page = (await listRobots({ client, throwOnError, query: { limit: 2, ...(cursor && { cursor }) } })).data;
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const missing = await getRobot({ client, path: { id: 'nobody' } });
  const refused = await listRobots({ client, query: { limit: 2, cursor: 'nonsense' } });

  const release = (
    await createRelease({
      client,
      throwOnError,
      body: { artifact_sha256: 'ab'.repeat(32), artifact_size: 7, tag: 'nav-1', kind: 'file' },
    })
  ).data.data;
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { release_id: release.id, target_kind: 'fleet', target_id: fleet.id } as const;
  const first = (await createDeployment({ client, throwOnError, headers, body })).data.data;
  const again = (await createDeployment({ client, throwOnError, headers, body })).data.data;

  return {
    org: whoami.orgs[0]?.name,
    site: site.name,
    fleet: fleet.name,
    key: key.value.slice(0, 11),
    robots: pages.map((page) => page.map(({ name }) => name)),
    missing: refusal(missing.response, missing.error),
    refused: refusal(refused.response, refused.error),
    deploymentAgain: first.id === again.id,
    target: first.target_kind,
  };
}

function refusal({ status }: Response, envelope: Envelope | undefined): Refusal {
  if (!envelope) throw new Error('it was not refused');
  return { status, ...envelope.error };
}
