import { createHash, randomUUID } from 'node:crypto';
import { together } from '../../support/together.ts';
import { apiOf } from '../harness/api.ts';
import { seedFleet, seedRobotTokens, type FleetData } from '../harness/fleet-data.ts';
import { startHintWays, type HintWay } from '../harness/hint-ways.ts';
import type { Hearing } from '../harness/link-hearing.ts';
import { startLinkProcess, type LinkProcess } from '../harness/links.ts';
import { median, quantile } from '../harness/pairing.ts';
import { startReplicas } from '../harness/replicas.ts';
import { limitLine, type Line, type Row } from '../harness/row.ts';
import { openScattered } from '../harness/scattered-links.ts';

const robots = 20_000;
/** A process may have 20,000 files open. */
const holders = 2;
const goalSeconds = { nats: 1, notify: 2 };
const withinMs = 120_000;

interface Scene extends AsyncDisposable {
  api: ReturnType<typeof apiOf>;
  fleet: FleetData;
  /** Each with its number of links. */
  parts: readonly { holder: LinkProcess; links: number }[];
}

interface Times {
  deployment: number;
  cancel: number;
  config: number;
}

/** Three replicas, with all robots linked. */
const startScene = (databaseUrl: string, count: number, way: HintWay): Promise<Scene> =>
  together(async (own) => {
    const fleet = await seedFleet(databaseUrl, count);
    const tokens = await seedRobotTokens(databaseUrl, fleet);
    const { servers, url } = own(await startReplicas(databaseUrl, 3, way.env));
    const share = Math.ceil(count / holders);
    const parts = [];
    for (let index = 0; index < holders; index += 1) {
      const holder = own(await startLinkProcess());
      const part = tokens.slice(index * share, (index + 1) * share);
      const urls = servers.map((server) => server.url);
      await openScattered(holder, { urls, tokens: part, takesOrders: true, from: `127.0.0.${2 + index}` });
      parts.push({ holder, links: part.length });
    }
    return { api: apiOf(url(0), fleet.userToken), fleet, parts };
  });

/** Seconds from the response to a change until 99 % of the robots have heard of it. */
async function secondsTo(
  { parts }: Scene,
  hearing: Pick<Hearing, 'what' | 'answer'>,
  change: () => Promise<unknown>,
): Promise<number> {
  const hear = parts.map(({ holder, links }) => holder.run({ kind: 'hear', ...hearing, count: links, withinMs }));
  await change();
  const answeredMs = Date.now();
  const times = (await Promise.all(hear)).flatMap(({ heard }) => heard.map(({ atMs }) => atMs - answeredMs));
  return Math.max(0, quantile(times, 0.99)) / 1_000;
}

/** A release, its cancel, and then a config, to all of them. */
async function round(scene: Scene, configId: unknown): Promise<Times> {
  const { api, fleet } = scene;
  const target = { target_kind: 'fleet', target_id: fleet.fleetId };
  const tag = `bench-${randomUUID()}`;
  const digest = createHash('sha256').update(tag).digest('hex');
  const { data: release } = await api.call('POST', '/api/releases', { tag, artifact_sha256: digest, artifact_size: 1 });
  let id = '';
  const deployment = await secondsTo(scene, { what: 'order' }, async () => {
    id = String((await api.call('POST', '/api/deployments', { release_id: release['id'], ...target })).data['id']);
  });
  const cancel = await secondsTo(scene, { what: 'cancel', answer: 'cancelled' }, () =>
    api.call('POST', `/api/deployments/${id}/cancel`),
  );
  const config = await secondsTo(scene, { what: 'order', answer: 'applied' }, () =>
    api.call('POST', '/api/configs/deployments', { config_id: configId, ...target }),
  );
  return { deployment, cancel, config };
}

/** From the response to the robots, whichever replica holds them; robots, replicas and Postgres share the machine. */
export const replicaDeliveryRow: Row = {
  id: 'D6',
  work: 'a deployment, its cancel and a config to 20,000 robots that are linked to three replicas by chance',
  against: 'a limit',
  processes: 1, // 20,000 links take minutes, and they are the sample.
  async run(context) {
    await using ways = await startHintWays(context, 'D6');
    const lines: Line[] = [];
    for (const way of ways.all) {
      const { url } = await context.database('d6');
      await using scene = await startScene(url, context.requests(robots), way);
      const { data: config } = await scene.api.call('POST', '/api/configs', { key: 'nav.max_speed', value: 1.2 });
      await round(scene, config['id']); // warm
      const all: Times[] = [];
      for (let count = 0; count < context.rounds(3); count += 1) all.push(await round(scene, config['id']));
      const goal = way.isNats ? goalSeconds.nats : goalSeconds.notify;
      for (const kind of ['deployment', 'cancel', 'config'] as const)
        lines.push(
          limitLine(`s until 99 % have the ${kind}, ${way.name}`, median(all.map((each) => each[kind])), goal),
        );
    }
    return lines;
  },
};
