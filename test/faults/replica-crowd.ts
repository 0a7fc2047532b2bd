import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startHome } from '../support/cli.ts';
import { watchLinks, type LinkWatch } from './link-watch.ts';
import { startReplicaSet, type ReplicaSet } from './replica-set.ts';
import { together } from '../support/together.ts';
import { until, within } from '../support/until.ts';

/** About how long a robot works on an order. */
export const orderSeconds = 3;

/** Three replicas behind HAProxy with simulated robots, all in one fleet. */
export interface Crowd {
  set: ReplicaSet;
  links: LinkWatch;
  /** Orders a release for all robots and waits until it is applied by all of them. `ms`: from the call to the end. */
  deployment(meanwhile?: (id: string) => Promise<unknown>): Promise<{ id: string; ms: number }>;
  /** Robots that have an event of each status in this deployment. */
  reports(id: string): Promise<Record<string, number>>;
  callers(count: number): Callers;
  /** Of acknowledged writes, those that are not stored; and those of all that are stored twice. */
  lostAndDoubled(callers: Callers): Promise<{ lost: string[]; doubled: string[] }>;
}

/** They read and write through HAProxy without a pause until they are stopped, and repeat nothing. */
export interface Callers {
  acknowledged: string[];
  failures: string[];
  stop(): Promise<void>;
}

/** Resolves once all robots are linked. */
export const startCrowd = (robots: number): Promise<Crowd & AsyncDisposable> =>
  together(async (own) => {
    const set = own(await startReplicaSet('haproxy'));
    const { db, data } = set;
    const home = own(await startHome());
    const { id: siteId } = await data('POST', '/api/sites', { name: 'Osaka' });
    const { id: fleetId } = await data('POST', '/api/fleets', { name: 'pickers', site_id: siteId });
    const place = { site_id: siteId, fleet_id: fleetId };
    const key = await data('POST', '/api/enrollment-keys', place);
    const profile = join(home.path, 'profile.json');
    await writeFile(profile, JSON.stringify({ order_seconds: orderSeconds }));
    const line = ['agent', 'simulate', '--count', String(robots), '--profile', profile, '--backend-url', set.url];
    const playing = home.start(line, { env: { SERVICE_ENROLLMENT_KEY: String(key['value']) }, input: '' });
    const links = own(await watchLinks(set));
    await within(
      until(() => links.linked() === robots),
      60_000,
      () => `${links.linked()} of ${robots} robots are linked: ${playing.text()}`,
    );

    async function order(): Promise<string> {
      const artifact = { artifact_sha256: randomBytes(32).toString('hex'), artifact_size: 1_000, kind: 'file' };
      const { id } = await data('POST', '/api/releases', { tag: `nav-${randomUUID()}`, ...artifact });
      const body = { release_id: id, target_kind: 'fleet', target_id: fleetId };
      return (await data('POST', '/api/deployments', body))['id'] as string;
    }

    /** Beside the service, and over a database that is away meanwhile. */
    async function endOf(id: string): Promise<string> {
      for (;;) {
        const found = db('deployments').where({ id }).whereNotNull('ended_at').pluck('status');
        const [status] = (await found.catch(() => [])) as string[];
        if (status !== undefined) return status;
        await sleep(50);
      }
    }

    function callers(count: number): Callers {
      const [acknowledged, failures]: [string[], string[]] = [[], []];
      let isOver = false;
      const isRunning = () => !isOver; // as a function: it changes while calls are awaited
      const call = async (method: string, path: string, body?: object) => {
        const outcome = await set.call(method, path, body).then(
          async (response) => (await response.text(), response.status),
          (error: unknown) => (error as Error).message,
        );
        if (outcome === 200 || outcome === 201) return true;
        failures.push(`${method} ${path}: ${outcome}`);
        return false;
      };
      const live = async () => {
        for (; isRunning(); await sleep(20)) {
          const label = randomUUID();
          await call('GET', '/api/robots?limit=10');
          await call('POST', '/api/configs', { key: label, value: 1 });
          if (await call('POST', '/api/enrollment-keys', { ...place, label })) acknowledged.push(label);
        }
      };
      const living = Array.from({ length: count }, live);
      return {
        acknowledged,
        failures,
        async stop() {
          isOver = true;
          await Promise.all(living);
        },
      };
    }

    return {
      set,
      links,
      callers,
      async deployment(meanwhile = async () => undefined) {
        const startedAt = performance.now();
        const id = await order();
        const [status] = await Promise.all([endOf(id), meanwhile(id)]);
        expect(status).toBe('applied');
        return { id, ms: Math.round(performance.now() - startedAt) };
      },
      async reports(id) {
        const rows = await db('deployment_events')
          .where({ deployment_id: id })
          .whereNotNull('robot_id')
          .groupBy('target_status')
          .select<{ status: string; count: number }[]>(
            'target_status as status',
            db.raw('count(distinct robot_id) as count'),
          );
        return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      },
      async lostAndDoubled({ acknowledged }) {
        const stored: string[] = await db('enrollment_keys').whereNotNull('label').pluck('label');
        const once = new Set(stored);
        const doubled = stored.filter((label) => !once.delete(label));
        return { lost: acknowledged.filter((label) => !stored.includes(label)), doubled };
      },
    };
  });
