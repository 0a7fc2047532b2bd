import { bundle, startServer } from '../harness/child.ts';
import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { bareBeat, healthBeat, startLinkProcess, type LinkProcess } from '../harness/links.ts';
import { startOurs } from '../harness/ours.ts';
import { pair } from '../harness/pairing.ts';
import { usageOf } from '../harness/proc.ts';
import { natsHello, natsMessage, startNatsServer } from '../peers/nats-server.ts';
import { ratioLine, type Row } from '../harness/row.ts';

const links = 10_000;
const perSecond = 1_000;
const goalRatio = 1.5;

/**
 * CPU of the server a heartbeat, in us, while they come at the pace of 10,000 robots. First each robot sends one: those that
 * were silent while the other side was measured would be pinged.
 */
async function cpuOf(server: { pid: number }, holder: LinkProcess, frame: string, seconds: number): Promise<number> {
  await holder.run({ kind: 'beat', perSecond, seconds: links / perSecond, frame });
  const before = await usageOf(server.pid);
  const { sent } = await holder.run({ kind: 'beat', perSecond, seconds, frame });
  const after = await usageOf(server.pid);
  return ((after.cpuMs - before.cpuMs) * 1000) / sent;
}

/** Heartbeats at 1,000/s: ours validates, keeps presence, writes to Postgres and pings its links; the peer parses.
 * nats-server, written in Go, acknowledges a message that nobody takes. */
export const heartbeatsRow: Row = {
  id: 'L2',
  work: 'heartbeats of 10,000 links, paced at 1,000/s: Node CPU',
  against: 'a bare ws server that only parses the JSON',
  async run(context) {
    const count = context.requests(links);
    const seconds = context.requests(20);
    const database = await context.database('l2');
    const tokens = await seedRobotTokens(database.url, await seedFleet(database.url, count));
    await using ours = await startOurs({ DATABASE_URL: database.url });
    await using peer = await startServer(await bundle('peers/ws.ts'), {});
    await using oursHolder = await startLinkProcess();
    await using peerHolder = await startLinkProcess();
    await oursHolder.run({ kind: 'open', url: ours.url, tokens });
    await peerHolder.run({ kind: 'open', url: peer.url, tokens });
    const rounds = (frame: string) =>
      pair({
        rounds: context.rounds(5),
        ours: () => cpuOf(ours, oursHolder, frame, seconds),
        peer: () => cpuOf(peer, peerHolder, frame, seconds),
      });
    const lines = [
      ratioLine('CPU us/heartbeat, each with health', await rounds(healthBeat), goalRatio),
      ratioLine('CPU us/heartbeat, bare', await rounds(bareBeat)),
    ];
    await peerHolder.run({ kind: 'close' });
    await using nats = await startNatsServer();
    if (!nats) {
      context.note('L2  there is no nats-server to hold it against: apt-get install nats-server');
      return lines;
    }
    await peerHolder.run({ kind: 'open', url: `http://127.0.0.1:${nats.port}`, tokens, hello: natsHello });
    const beside = await pair({
      rounds: context.rounds(3),
      ours: () => cpuOf(ours, oursHolder, healthBeat, seconds),
      peer: () => cpuOf(nats, peerHolder, natsMessage('heartbeats', healthBeat), seconds),
    });
    return [...lines, ratioLine('CPU us/heartbeat, nats-server', beside)];
  },
};
