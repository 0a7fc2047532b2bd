import { createHash, randomUUID } from 'node:crypto';
import { apiOf } from '../harness/api.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startLinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const robots = 5_000;
const goalSeconds = 5;
const share = 0.95;
const withinMs = 60_000;
const statuses = ['downloading', 'installing', 'verifying', 'applied'];

/** From the call that orders a release for a fleet to the acknowledgements that its robots got, over their links, from one server. */
export const deliveryRow: Row = {
  id: 'R4',
  work: 'create a deployment -> 95 % of 5,000 linked agents have their first report acknowledged',
  against: 'a limit',
  async run(context) {
    const count = context.requests(robots);
    const database = await context.database('r4');
    const fleet = await seedFleet(database.url, count);
    const tokens = await seedRobotTokens(database.url, fleet);
    await using ours = await startOurs({ DATABASE_URL: database.url });
    await using holder = await startLinkProcess();
    await holder.run({ kind: 'open', url: ours.url, tokens, takesOrders: true });
    const api = apiOf(ours.url, fleet.userToken);

    async function deploy(tag: string) {
      const digest = createHash('sha256').update(tag).digest('hex');
      const release = await api.call('POST', '/api/releases', { tag, artifact_sha256: digest, artifact_size: 1 });
      const carried = holder.run({ kind: 'carryOut', statuses, digest, withinMs });
      const startedAt = Date.now();
      const order = { release_id: release.data['id'], target_kind: 'fleet', target_id: fleet.fleetId };
      await api.call('POST', '/api/deployments', order);
      const postMs = Date.now() - startedAt;
      const { begunAt, endedAt } = await carried;
      const begunMs = (begunAt[Math.ceil(count * share) - 1] ?? Infinity) - startedAt;
      return { postMs, begunMs, endedMs: (endedAt.at(-1) ?? Infinity) - startedAt };
    }

    const samples = [];
    for (let round = 0; round < context.rounds(5); round += 1) samples.push(await deploy(`bench-${randomUUID()}`));
    return [
      limitLine('s to 95 % acknowledged', median(samples.map(({ begunMs }) => begunMs / 1_000)), goalSeconds),
      limitLine('s to all applied, four reports each', median(samples.map(({ endedMs }) => endedMs / 1_000))),
      limitLine('ms of the POST', median(samples.map(({ postMs }) => postMs)), 20),
    ];
  },
};
