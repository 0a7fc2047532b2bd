import { randomUUID } from 'node:crypto';
import { Api, type Error as Envelope, type HttpResponse, type Robot, TargetKind } from './client/api';
import type { Refusal, Seen } from './seen';

export async function scenario(baseUrl: string, token: string): Promise<Seen> {
  const { api } = new Api<string>({
    baseUrl,
    securityWorker: (held) => ({ headers: { Authorization: `Bearer ${held ?? token}` } }),
  });
  const whoami = (await api.getWhoami()).data.data;
  const site = (await api.createSite({ name: 'Kobe' })).data.data;
  const fleet = (await api.createFleet({ name: 'pickers', site_id: site.id })).data.data;
  const key = (await api.createEnrollmentKey({ site_id: site.id, fleet_id: fleet.id, max_uses: 3 })).data.data;

  const pages: Robot[][] = [];
  let cursor: string | undefined;
  do {
    const page = (await api.listRobots({ limit: 2, ...(cursor && { cursor }) })).data;
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const release = (
    await api.createRelease({ artifact_sha256: 'ab'.repeat(32), artifact_size: 7, tag: 'nav-1', kind: 'file' })
  ).data.data;
  // It leaves headers out of its signatures; they go along with the call.
  const headers = { 'Idempotency-Key': randomUUID() };
  const order = { release_id: release.id, target_kind: TargetKind.Fleet, target_id: fleet.id };
  const first = (await api.createDeployment(order, { headers })).data.data;
  const again = (await api.createDeployment(order, { headers })).data.data;

  return {
    org: whoami.orgs[0]?.name,
    site: site.name,
    fleet: fleet.name,
    key: key.value.slice(0, 11),
    robots: pages.map((page) => page.map(({ name }) => name)),
    missing: await refusal(api.getRobot('nobody')),
    refused: await refusal(api.listRobots({ limit: 2, cursor: 'nonsense' })),
    deploymentAgain: first.id === again.id,
    target: first.target_kind,
  };
}

async function refusal<T>(call: Promise<HttpResponse<T, Envelope>>): Promise<Refusal> {
  const { status, error } = await call.catch((thrown: HttpResponse<T, Envelope>) => thrown);
  return { status, ...error.error };
}
