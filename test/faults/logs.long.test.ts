import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomFrom } from '../support/random.ts';
import { together } from '../support/together.ts';
import { patienceMs, until, within } from '../support/until.ts';
import { logCheck } from './log-check.ts';
import { makeLogSteps, moments, type LogMoment } from './log-moments.ts';
import { startLogSender, type LogSender } from './log-sender.ts';
import { startLogService, type LogService } from './log-service.ts';

/** Kills: one at each moment, the next time of the other victim. `npm run test:long` does a hundred. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? moments.length);
const random = randomFrom(Date.now());
const robots = 4;
/** What a killed process began is held in Postgres for up to so long. Its robots link to the other replica meanwhile. */
const longestMs = 800;

test(
  'whoever is killed at any step of storing and merging logs: each acknowledged record is there once, in order, and is counted once',
  async ({ annotate }) => {
    await using service = await startLogService();
    const { postgres } = service;
    await makeLogSteps(service);
    await using crowd = await startSenders(service);
    const { senders } = crowd;
    const check = logCheck(service, senders);
    const killed = { Postgres: 0, replica: 0, merger: 0 };

    async function checkAtRest(isCounted: boolean): Promise<void> {
      await Promise.all(senders.map((sender) => sender.rest()));
      await check.checkNew();
      if (!isCounted) return;
      await mergeAll(service);
      await check.checkCounts();
    }

    async function killAt(round: number): Promise<void> {
      const moment = moments[round % moments.length] as LogMoment; // below the length
      const isPostgres = (round + Math.floor(round / moments.length)) % 2 === 1;
      const told = `round ${round}: ${isPostgres ? 'Postgres' : 'a process'} is killed ${moment.name}`;
      const { process: waiting, release } = await within(
        moment.comes({ service, senders, random }),
        patienceMs,
        () => `${told}: the moment did not come`,
      );
      killed[isPostgres ? 'Postgres' : waiting.kind] += 1;
      const victim = isPostgres ? postgres : waiting;
      await victim.kill();
      if (isPostgres) await postgres.start();
      const goesOn = sleep(isPostgres ? 0 : random.below(longestMs)).then(release);
      const isBack = isPostgres ? undefined : waiting.start();
      await Promise.all([goesOn, isBack, checkAtRest(round % 4 === 3)]).catch((error: unknown) => {
        throw new Error(told, { cause: error });
      });
      for (const sender of senders) sender.resume();
    }

    for (let round = 0; round < rounds; round += 1) await killAt(round);
    await checkAtRest(true);
    await check.checkAll();
    const kills = Object.entries(killed).map(([victim, times]) => `${victim} ${times} times`);
    await annotate(`killed ${kills.join(', ')}; ${recordsOf(senders)} records in ${spoolsOf(senders)} spools`);
  },
  60_000 + rounds * 20_000,
);

const startSenders = (service: LogService) =>
  together(async (own) => {
    const { data: site } = await service.call('POST', '/api/sites', { name: 'Osaka' });
    const { data: fleet } = await service.call('POST', '/api/fleets', { name: 'pickers', site_id: site['id'] });
    const place = { site_id: site['id'], fleet_id: fleet['id'] };
    const { data: key } = await service.call('POST', '/api/enrollment-keys', place);
    const senders: LogSender[] = [];
    for (let count = 0; count < robots; count += 1) {
      const { data } = await service.call('POST', '/agent/enroll', {}, key['value']);
      const { robot_id: robotId = '', robot_token: token = '' } = data;
      senders.push(own(startLogSender({ robotId, token }, service.urls, random)));
    }
    return { senders };
  });

/** Merges everything, also if Postgres was just killed. */
async function mergeAll({ merger }: LogService): Promise<void> {
  let response: Awaited<ReturnType<typeof merger.merge>>;
  const isMerged = async () => {
    response = await merger.merge();
    return response !== undefined && response.error === undefined;
  };
  await within(until(isMerged), patienceMs, () => `merging fails: ${response?.error}`);
  expect(response?.lost, 'damaged records').toBe(0);
}

const spoolsOf = (senders: readonly LogSender[]): number => senders.flatMap(({ spools }) => spools).length;
const recordsOf = (senders: readonly LogSender[]): number =>
  senders.flatMap(({ spools }) => spools).reduce((total, { words }) => total + words.length, 0);
