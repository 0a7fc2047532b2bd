import { limits } from '../../../generated/protocol.js';
import type { Check } from '../check.ts';
import { assertRule } from '../rule.ts';

const beats = 4;
const yearMs = 365 * 86_400_000;
const drainWithinMs = 6_000;
/**
 * An agent that closes at once, or always after the same time, is detected after this many rounds. An honest agent
 * fails once in twenty-five thousand runs.
 */
const drainRounds = 10;
const sameWithinMs = drainWithinMs / 4;

export const linkChecks: readonly Check[] = [
  {
    name: 'heartbeats',
    rule: 'It says hello first, within 10 s, and a heartbeat each heartbeat_seconds of the welcome',
    async run({ linked, until }) {
      const link = await linked();
      await until(() => link.framesOf('heartbeat').length >= beats, `${beats} heartbeats, one a second, did not come`);
      const [first] = link.frames;
      assertRule(
        first !== undefined && first.at - link.openedAt <= limits.helloWithinMs,
        'the hello took more than 10 s',
      );
      const at = link.frames.filter(({ frame }) => frame.type === 'heartbeat').map((each) => each.at);
      const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
      assertRule(span > ((at.length - 1) * 1000) / 4, `${at.length} heartbeats came within ${Math.round(span)} ms`);
    },
  },
  {
    name: 'health',
    rule: 'A health snapshot has at most 16 KiB of JSON; the service omits parts of a larger one',
    async run({ linked, until }) {
      const link = await linked();
      await until(() => link.framesOf('heartbeat').length >= beats, `${beats} heartbeats, one a second, did not come`);
      for (const { health } of link.framesOf('heartbeat')) {
        const bytes = health === undefined ? 0 : Buffer.byteLength(JSON.stringify(health));
        assertRule(bytes <= limits.maxSnapshotBytes, `a snapshot has ${bytes} bytes`);
      }
    },
  },
  {
    name: 'pings',
    rule: 'It answers a ping of the service with a pong',
    async run({ linked, until }) {
      const { socket } = await linked();
      // An agent may send a pong without a ping.
      let isAnswered = false;
      socket.on('pong', (data) => (isAnswered ||= String(data) === 'are you there'));
      socket.ping('are you there');
      await until(() => isAnswered, 'no pong came that says what the ping said');
    },
  },
  {
    name: 'one-link',
    rule: 'It keeps one link, and opens no second one beside it',
    async run({ linked, service, until }) {
      const link = await linked();
      await until(
        () => service.replaced > 0 || link.framesOf('heartbeat').length >= beats,
        `${beats} heartbeats, one a second, did not come`,
      );
      assertRule(service.replaced === 0, 'it opened a second link beside one that was well');
    },
  },
  {
    name: 'unknown',
    rule: 'It ignores unknown frames and fields, and the link continues',
    async run({ linked, until }) {
      const link = await linked();
      link.send({ type: 'wave', hand: 'left' });
      link.send({ type: 'logs_ack', spool: 'of-nobody', seq: 4711, mood: 'good' });
      const before = link.framesOf('heartbeat').length;
      await until(() => link.closed ?? link.framesOf('heartbeat').length > before + 1, 'no heartbeat came after them');
      assertRule(!link.closed, `it closed the link with ${link.closed?.code} ${link.closed?.reason}`);
    },
  },
  {
    name: 'malformed',
    rule: 'It outlives frames that are broken: it ignores them, or comes back with a new link',
    async run({ linked, service, until, linkAfter }) {
      let link = await linked();
      for (const broken of ['{"type":', '[]', '{"type":7}']) {
        const before = link.framesOf('heartbeat').length;
        link.send(broken);
        await until(() => link.closed ?? link.framesOf('heartbeat').length > before, `nothing came after ${broken}`);
        if (link.closed) link = await linkAfter(service.links.length, limits.deadAfterMs);
      }
    },
  },
  {
    name: 'clock',
    rule: 'A service whose clock is a year ahead is served as any other',
    async run({ linked, service, until }) {
      service.manner.clockAheadMs = yearMs;
      const link = await linked();
      await until(() => link.closed ?? link.framesOf('heartbeat').length >= 2, 'no heartbeats came');
      assertRule(!link.closed, `it closed the link with ${link.closed?.code} ${link.closed?.reason}`);
    },
  },
  {
    name: 'drain',
    rule: 'After drain, it closes the link itself after a random part of the given time, and reconnects',
    async run({ linked, linkAfter, until, timeoutMs, service, start, subject }) {
      const waits: number[] = [];
      let link = await linked();
      for (;;) {
        const { socket } = link;
        const links = service.links.length;
        let heardAt = performance.now();
        // On a busy machine the agent may receive it late, but before it answers the ping that follows.
        socket.once('pong', () => (heardAt = performance.now()));
        link.send({ type: 'drain', within_ms: drainWithinMs });
        socket.ping();
        await until(() => socket.readyState !== socket.OPEN, 'it did not close the link', drainWithinMs + timeoutMs);
        waits.push(Math.round(performance.now() - heardAt));
        const longest = Math.max(...waits);
        assertRule(longest <= drainWithinMs + timeoutMs / 2, `it closed the link after ${longest} ms`);
        if (waits.length === 1) link = await linkAfter(links, limits.deadAfterMs);
        if (longest - Math.min(...waits) >= sameWithinMs) return;
        assertRule(
          waits.length < drainRounds,
          `of ${drainWithinMs} ms it took ${waits.join(', ')} ms, as every other agent of its kind would: nothing in it is random`,
        );
        if (waits.length === 1) continue;
        // Restarted, because the backoff between links would grow with each round.
        await subject().end();
        const before = service.links.length;
        start();
        link = await linkAfter(before, timeoutMs);
      }
    },
  },
  {
    name: 'sigterm',
    rule: 'SIGTERM ends it: the link is closed with 1000 and the process is over',
    async run({ linked, subject, until }) {
      const link = await linked();
      subject().signal('SIGTERM');
      const { code } = await until(() => link.closed, 'the link stayed open');
      assertRule(code === 1000, `the link was closed with ${code}`);
      await until(() => subject().ended(), 'the process kept running');
    },
  },
];
