import { limits } from '../../../generated/protocol.js';
import type { Check, Scene } from '../check.ts';
import { BrokenRule, demand, NotClaimed } from '../rule.ts';
import type { ServedLink } from '../served-link.ts';

const lines = ['conformance line 1', 'conformance line 2', 'conformance line 3'];

const numbersOf = (link: ServedLink): string[] =>
  link.framesOf('logs').flatMap(({ spool, records }) => records.map(({ seq }) => `${spool} ${seq}`));

/** A link on which records came. @throws NotClaimed where none does: how an agent gets at its logs is its own */
async function linkWithLogs({ linked, write, until }: Scene): Promise<ServedLink> {
  const link = await linked('logs');
  await write(lines);
  await until(() => numbersOf(link).length > 0, 'no record came').catch((error: unknown) => {
    throw error instanceof BrokenRule
      ? new NotClaimed('no log record came: let the command read {log}, or its standard input')
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
      demand(
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
      await scene.until(() => missing().length === 0, `not all of ${unheard.join(', ')} (spool and number) came again`);
    },
  },
];
