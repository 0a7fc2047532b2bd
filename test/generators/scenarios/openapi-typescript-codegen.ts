import { randomUUID } from 'node:crypto';
import { ApiError, type DeploymentCreate, FleetClient, TargetKind, type Error as Envelope, type Robot } from './client';
import type { Refusal, Seen } from './seen';

export async function scenario(url: string, token: string): Promise<Seen> {
  const client = new FleetClient({ BASE: url, TOKEN: token });
  const whoami = (await client.session.getWhoami({})).data;
  const site = (await client.sites.createSite({ requestBody: { name: 'Kobe' } })).data;
  const fleet = (await client.fleets.createFleet({ requestBody: { name: 'pickers', site_id: site.id } })).data;
  const key = (
    await client.enrollmentKeys.createEnrollmentKey({
      requestBody: { site_id: site.id, fleet_id: fleet.id, max_uses: 3 },
    })
  ).data;

  const pages: Robot[][] = [];
  let cursor: string | undefined;
  do {
    const page = await client.robots.listRobots({ limit: 2, ...(cursor && { cursor }) });
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const release = (
    await client.releases.createRelease({
      requestBody: { artifact_sha256: 'ab'.repeat(32), artifact_size: 7, tag: 'nav-1', kind: 'file' },
    })
  ).data;
  const idempotencyKey = randomUUID();
  const requestBody: DeploymentCreate = {
    release_id: release.id,
    target_kind: TargetKind.FLEET,
    target_id: fleet.id,
  };
  const first = (await client.deployments.createDeployment({ idempotencyKey, requestBody })).data;
  const again = (await client.deployments.createDeployment({ idempotencyKey, requestBody })).data;

  return {
    org: whoami.orgs[0]?.name,
    site: site.name,
    fleet: fleet.name,
    key: key.value.slice(0, 11),
    robots: pages.map((page) => page.map(({ name }) => name)),
    missing: await client.robots.getRobot({ id: 'nobody' }).then(nothing, refusal),
    refused: await client.robots.listRobots({ limit: 2, cursor: 'nonsense' }).then(nothing, refusal),
    deploymentAgain: first.id === again.id,
    target: first.target_kind,
  };
}

function refusal(error: unknown): Refusal {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, ...(error.body as Envelope).error };
}

function nothing(): never {
  throw new Error('it was not refused');
}
