import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../generated/protocol.js';
import type { Check, CheckContext } from '../check.ts';
import { BrokenRule, assertRule, NotSupported } from '../rule.ts';
import type { ServedLink } from '../served-link.ts';

const lines = ['conformance line 1', 'conformance line 2', 'conformance line 3'];

const numbersOf = (link: ServedLink): string[] =>
  link.framesOf('logs').flatMap(({ spool, records }) => records.map(({ seq }) => `${spool} ${seq}`));

/** More than an agent may have in flight without an acknowledgement. */
const manyLines = Array.from({ length: 3_000 }, (_, index) => `conformance line ${index + 4} ${'.'.repeat(200)}`);
const lastLine = 'conformance last line';
const heldMs = 2_000;

/** A link with log records. @throws NotSupported without any: how an agent reads its logs is its own choice */
async function linkWithLogs({ linked, write, until }: CheckContext): Promise<ServedLink> {
  const link = await linked('logs');
  await write(lines);
  await until(() => numbersOf(link).length > 0, 'no record came').catch((error: unknown) => {
    throw error instanceof BrokenRule
      ? new NotSupported('no log record came: let the command read {log}, or its standard input')
      : error;
  });
  return link;
}

export const logChecks: readonly Check[] = [
  {
    name: 'logs',
    rule: 'Log records come under rising numbers, and those that were acknowledged are not sent without end',
    async run(scene) {
      const link = await linkWithLogs(scene);
      const beats = link.framesOf('heartbeat').length;
      await scene.until(() => link.framesOf('heartbeat').length > beats + 2, 'no heartbeats came beside the logs');
      const all = numbersOf(link);
      assertRule(
        new Set(all).size === all.length,
        `on one link a record came twice, although it was acknowledged: ${all.join(', ')}`,
      );
    },
  },
  {
    name: 'logs-kept',
    rule: 'Log records that were not acknowledged are sent again on the next link, under their numbers',
    async run(scene) {
      scene.service.manner.acknowledgesLogs = false;
      const link = await linkWithLogs(scene);
      link.socket.terminate();
      const unheard = numbersOf(link);
      scene.service.manner.acknowledgesLogs = true;
      const next = await scene.linkAfter(1, limits.deadAfterMs);
      const missing = () => unheard.filter((each) => !numbersOf(next).includes(each));
      await scene.until(
        () => missing().length === 0,
        `not all of ${unheard.join(', ')} (spool and number) were sent again`,
      );
    },
  },
  {
    name: 'logs-held',
    rule: 'While nothing is acknowledged or read, the link continues and no record is sent twice on it; then the rest is sent',
    async run(scene) {
      scene.service.manner.acknowledgesLogs = false;
      const link = await linkWithLogs(scene);
      await scene.write(manyLines);
      const beat = async () => {
        const before = link.framesOf('heartbeat').length;
        await scene.until(
          () => link.closed ?? link.framesOf('heartbeat').length > before + 2,
          'no heartbeats came beside logs that were not acknowledged',
        );
        assertRule(!link.closed, `the link was closed with ${link.closed?.code} ${link.closed?.reason}`);
      };
      await beat();
      // As a busy service does.
      link.socket.pause();
      await pause(heldMs);
      link.socket.resume();
      await beat();
      scene.service.manner.acknowledgesLogs = true;
      for (const [spool, seq] of highest(link)) link.send({ type: 'logs_ack', spool, seq });
      await scene.write([lastLine]);
      const messages = () =>
        link.framesOf('logs').flatMap(({ records }) => records.map(({ message }) => String(message)));
      await scene.until(
        () => link.closed ?? messages().some((message) => message.includes(lastLine)),
        'after all was acknowledged, the newest line did not come',
      );
      assertRule(!link.closed, `the link was closed with ${link.closed?.code} ${link.closed?.reason}`);
      const all = numbersOf(link);
      const seen = new Set<string>();
      const twice = all.find((each) => seen.size === seen.add(each).size);
      assertRule(twice === undefined, `on one link the record ${twice} (spool and number) was sent twice`);
    },
  },
  {
    name: 'logs-renumbered',
    rule: 'When the service acknowledges a number above every one of a spool that is kept over restarts, new records come in a spool with a new ID',
    async run(scene) {
      const first = await linkWithLogs(scene);
      const known = new Set(first.framesOf('logs').map(({ spool }) => spool));
      await scene.subject().end();
      scene.start();
      const link = await scene.linkAfter(1);
      await scene.write([lastLine]);
      await scene.until(() => numbersOf(link).length > 0, 'no record came after a restart');
      const kept = [...highest(link)].filter(([spool]) => known.has(spool));
      if (kept.length === 0) throw new NotSupported('its spool has a new ID after a restart');
      // As after a disk was restored to an older state than the service knows.
      for (const [spool, seq] of kept) link.send({ type: 'logs_ack', spool, seq: seq + farAhead });
      await scene.write(lines);
      await scene.until(
        () => link.framesOf('logs').some(({ spool }) => !known.has(spool)),
        'records continued in the same spool, where the service drops them',
      );
    },
  },
];

/** More numbers than an agent skips at a restart. */
const farAhead = 1_000_000_000;

/** The highest number received of each spool. */
function highest(link: ServedLink): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { spool, to_seq: seq } of link.framesOf('logs'))
    numbers.set(spool, Math.max(seq, numbers.get(spool) ?? 0));
  return numbers;
}
