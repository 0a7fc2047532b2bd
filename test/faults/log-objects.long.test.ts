import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/platform/db/index.ts';
import { openObjectStore } from '../../src/platform/s3/open.ts';
import { startKillablePostgres } from '../support/killable-postgres.ts';
import { startS3Store } from '../support/s3-store.ts';
import { together } from '../support/together.ts';
import { testWith } from '../support/tools.ts';
import { patienceMs, until, within } from '../support/until.ts';
import { startCalledProcess } from './called-process.ts';
import { heldSteps } from './held-steps.ts';
import { logDays, messagesOf, type LogDay } from './log-days.ts';

const steps = {
  begun: 'after insert on log_objects',
  blocks: 'after insert on log_object_blocks',
  written: `after update on log_objects, when (new.state = 'written')`,
  writtenAll: 'after insert on log_object_blocks, at the commit',
  readable: `after update on log_objects, when (new.state = 'stored')`,
  replaced: 'after update on log_objects, at the commit',
  removed: 'after delete on log_object_blocks',
  forgotten: 'after delete on log_objects, at the commit',
};
type Step = keyof typeof steps;

interface Moment {
  name: string;
  during: 'move' | 'clean';
  at: Step | 'request'; // at a request to the object store
  isCommitted?: true;
}

const moments: Moment[] = [
  { name: 'while it notes an object', during: 'move', at: 'begun' },
  { name: 'when an object is noted, before it knows', during: 'move', at: 'begun', isCommitted: true },
  { name: 'while it uploads an object', during: 'move', at: 'request' },
  { name: 'when an object is uploaded, before that is noted', during: 'move', at: 'written' },
  { name: 'while it writes the index of an object', during: 'move', at: 'blocks' },
  { name: 'while it commits the index of an object', during: 'move', at: 'writtenAll' },
  { name: 'when the index is committed, before it knows', during: 'move', at: 'writtenAll', isCommitted: true },
  { name: 'while it makes the objects readable', during: 'move', at: 'readable' },
  { name: 'while it commits that they replace the partition', during: 'move', at: 'replaced' },
  { name: 'when that is committed, before it knows', during: 'move', at: 'readable', isCommitted: true },
  { name: 'while it deletes an object', during: 'clean', at: 'request' },
  { name: 'when an object is deleted, before that is noted', during: 'clean', at: 'removed' },
  { name: 'while it commits that an object is gone', during: 'clean', at: 'forgotten' },
  { name: 'when that is committed, before it knows', during: 'clean', at: 'forgotten', isCommitted: true },
];
const victims = ['the mover', 'Postgres', 'the object store'] as const;

/** Kills: one at each moment, the next time of the next victim. `npm run test:long` does a hundred. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? moments.length);
const bucket = 'logs';

const startScene = () =>
  together(async (own) => {
    const postgres = own(await startKillablePostgres());
    const { db } = postgres;
    await migrate(db);
    const s3 = own(await startS3Store());
    const env = await s3.bucket(bucket);
    const store = await openObjectStore(readConfig(env).s3, { answerMs: 2_000, connectMs: 500 });
    if (!store) throw new Error('no store');
    const mover = own(startCalledProcess('log-mover.ts', postgres.url, env));
    return { postgres, db, s3, mover, held: heldSteps(db, steps), days: await logDays(db, store, rounds) };
  });

testWith('python3-swift')(
  'whoever is killed at any step of moving and deleting log objects: each record is there once, in order, and no object is left',
  async ({ annotate }) => {
    await using scene = await startScene();
    const { postgres, db, s3, mover, held, days } = scene;
    const kept: LogDay[] = [];
    const killed = new Map<string, number>();
    await held.make();

    const check = async (day: LogDay, isDeleted: boolean) =>
      expect(await days.read(day)).toEqual(isDeleted ? [[], []] : messagesOf(day));

    /** As if so much time had passed that another replica may continue. */
    async function pass(): Promise<void> {
      await db('log_mover').delete();
      await db('log_objects')
        .whereIn('state', ['writing', 'removing'])
        .update({ changed_at: new Date(0) });
    }

    async function finish(): Promise<void> {
      for (const call of ['move', 'clean']) {
        await pass();
        const ends = async () => (await mover.call(call))?.error === undefined;
        await within(until(ends), patienceMs, () => `${call} fails`);
      }
      const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket }));
      const rows = await db('log_objects').select<{ id: string; state: string }[]>('id', 'state');
      const keys = rows.map(({ id, state }) => `${days.orgId}/logs/${id} ${state}`);
      expect(Contents.map(({ Key }) => `${Key} stored`).sort()).toEqual(keys.sort());
    }

    async function expire({ startMs }: LogDay): Promise<void> {
      await finish();
      const changed = await db('log_objects')
        .where({ day: new Date(startMs) })
        .update({ state: 'removing', changed_at: new Date(0) });
      expect(changed).toBeGreaterThan(0);
    }

    /** Begins to move or clean, and waits for the moment. Returns what lets it continue, and resolves when it has ended. */
    async function reach({ during, at, isCommitted }: Moment) {
      let ended: Promise<unknown> = Promise.resolve();
      const begin = async () => {
        await pass();
        ended = mover.call(during);
      };
      if (at !== 'request') {
        const { release } = await (isCommitted ? held.holdAfterCommit(at, begin) : held.hold(at, begin));
        return { release, ended };
      }
      s3.signal('SIGSTOP');
      await begin();
      const isWriting = () => db('log_objects').where({ state: 'writing' }).first('id');
      if (during === 'move') await until(async () => (await isWriting()) !== undefined);
      await sleep(100); // the request is under way
      return { release: () => Promise.resolve(s3.signal('SIGCONT')), ended };
    }

    async function kill(victim: (typeof victims)[number]): Promise<void> {
      if (victim === 'Postgres') await postgres.kill().then(() => postgres.start());
      if (victim === 'the mover') await mover.kill().then(() => mover.start());
      if (victim === 'the object store') await s3.kill().then(() => s3.start());
      killed.set(victim, (killed.get(victim) ?? 0) + 1);
    }

    async function killAt(round: number): Promise<void> {
      const moment = moments[round % moments.length] as Moment; // below the length
      const victim = victims[(round + Math.floor(round / moments.length)) % victims.length] ?? 'the mover';
      const day = await days.add();
      const isDeleted = moment.during === 'clean';
      if (isDeleted) await expire(day);
      const { release, ended } = await within(
        reach(moment),
        patienceMs,
        () => `the moment did not come: ${moment.name}`,
      );
      await kill(victim);
      await release();
      await ended;
      await check(day, isDeleted);
      await finish();
      await check(day, isDeleted);
      expect(await days.isHere(day)).toBe(false);
      if (!isDeleted) kept.push(day);
    }

    for (let round = 0; round < rounds; round += 1)
      await killAt(round).catch((error: unknown) => {
        throw new Error(`round ${round}: ${moments[round % moments.length]?.name}`, { cause: error });
      });
    for (const day of kept) await check(day, false);
    await annotate(`killed ${[...killed].map(([victim, times]) => `${victim} ${times} times`).join(', ')}`);
  },
  60_000 + rounds * 20_000,
);
