import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startHome } from '../../support/cli.ts';
import { together } from '../../support/together.ts';
import { until, within } from '../../support/until.ts';
import type { History } from './history.ts';
import { sendUntilDone } from './requests.ts';
import type { FaultService } from './service.ts';

/** Simulated robots in one fleet, with heartbeats, health and logs; and robots of the tests in another one. */
export interface Fleet {
  /** Of the simulated robots. */
  robotIds: readonly string[];
  /** Enrolls one more robot of the tests. */
  enroll(): Promise<{ robotId: string; token: string }>;
  /** Value of an enrollment key for robots of the tests. */
  key: string;
  /** Orders a release for all simulated robots. */
  order(history: History): Promise<void>;
  /** Verifies the audit chain with the client. Undefined if it is whole. */
  auditFailure(): Promise<string | undefined>;
}

const orderSeconds = 3;
const linesPerMinute = 2;
const linkedWithinMs = 180_000;
const orderedWithinMs = 60_000;

/** Resolves once all robots are linked. `seed`: what they do. */
export const startFleet = (service: FaultService, robots: number, seed: number): Promise<Fleet & AsyncDisposable> =>
  together(async (own) => {
    const home = own(await startHome({ SERVICE_TOKEN: service.token, TEST_BASE_URL: service.url }));
    const { id: siteId } = await create(service, '/api/sites', { name: 'Osaka' });
    const newFleet = async (name: string) => {
      const { id: fleet_id = '' } = await create(service, '/api/fleets', { name, site_id: siteId });
      const { value: key = '' } = await create(service, '/api/enrollment-keys', { site_id: siteId, fleet_id });
      return { fleetId: fleet_id, key };
    };
    const { fleetId, key: simulatedKey } = await newFleet('pickers');
    // Some robots take no orders.
    const { key } = await newFleet('others');
    const profile = join(home.path, 'profile.json');
    await writeFile(profile, JSON.stringify({ order_seconds: orderSeconds, log_lines_per_minute: linesPerMinute }));
    const line = ['agent', 'simulate', '--count', String(robots), '--profile', profile, '--seed', String(seed)];
    const playing = home.start([...line, '--backend-url', service.url], {
      env: { SERVICE_ENROLLMENT_KEY: simulatedKey },
      input: '',
    });
    await within(
      until(async () => Number((await service.db('robot_links').count<{ count: string }[]>())[0]?.count) === robots),
      linkedWithinMs,
      () => `not all robots are linked: ${playing.text()}`,
    );
    return {
      key,
      robotIds: await service.db('robots').where({ fleet_id: fleetId }).pluck('id'),
      async enroll() {
        const made = await create(service, '/agent/enroll', {}, key);
        return { robotId: made['robot_id'] ?? '', token: made['robot_token'] ?? '' };
      },
      async order(history) {
        const artifact = { artifact_sha256: randomBytes(32).toString('hex'), artifact_size: 1_000, kind: 'file' };
        const { id = '' } = await create(service, '/api/releases', { tag: randomUUID(), ...artifact });
        const body = { release_id: id, target_kind: 'fleet', target_id: fleetId };
        const url = `${service.url}/api/deployments`;
        const endMs = performance.now() + orderedWithinMs;
        const request = { kind: 'deployment', method: 'POST', key: id, url, token: service.token, body } as const;
        await sendUntilDone(history, request, () => performance.now() < endMs);
      },
      async auditFailure() {
        const { code, stdout, stderr } = await home.start(['audit', 'verify'], { input: '' }).ended;
        return code === 0 ? undefined : `${stdout}${stderr}`;
      },
    };
  });

/** Creates something while nothing is broken. @throws for any other response */
async function create(
  service: FaultService,
  path: string,
  body: object,
  token = service.token,
): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Record<string, string> }).data;
}
