import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { until } from '../support/until.ts';
import { heldSteps, waiterIn, type HeldStep } from './held-steps.ts';
import type { LogSender } from './log-sender.ts';
import type { LogProcess, LogService } from './log-service.ts';

export interface LogScene {
  service: LogService;
  senders: readonly LogSender[];
  random: Random;
}

/** A process that waits within a step. */
interface Held {
  process: LogProcess;
  /** The step goes on, unless Postgres has ended it. */
  release(): Promise<void>;
}

export interface LogMoment {
  name: string;
  comes(scene: LogScene): Promise<Held>;
}

/** Statements of storing and merging that can be held, by what they write. */
const steps = {
  take: 'after insert on log_orgs',
  segment: 'after insert on log_segments',
  storedSegment: 'after insert on log_segments, at the commit',
  chunks: 'after insert on log_chunks',
  counters: 'after insert or update on log_counters',
  heads: 'after insert or update on log_heads',
  stats: 'after insert on log_stats_pending',
  rolledUp: 'after insert or update on log_stats_by_fleet',
  merged: 'after update of merged_id on log_orgs',
  mergedWindow: 'after update of merged_id on log_orgs, at the commit',
};
type Step = keyof typeof steps;

const stepsOf = ({ postgres }: LogService) => heldSteps(postgres.db, steps);

/** Adds triggers to the database, in which a step waits while a test holds its lock. */
export const makeLogSteps = (service: LogService): Promise<void> => stepsOf(service).make();

export const moments: LogMoment[] = [
  { name: 'while it notes that a robot is read', comes: (scene) => heldAt(scene, 'take', relink) },
  { name: 'when that is committed, before it knows', comes: (scene) => heldAfterCommit(scene, 'take', relink) },
  { name: 'while it stores a segment', comes: (scene) => heldAt(scene, 'segment') },
  { name: 'while it commits a segment', comes: (scene) => heldAt(scene, 'storedSegment') },
  { name: 'when a segment is committed, before it knows', comes: (scene) => heldAfterCommit(scene, 'storedSegment') },
  {
    name: 'while it waits for a segment, before it merges',
    async comes(scene) {
      const { merger, postgres } = scene.service;
      await segmentsAreLeft(scene);
      const { release } = await heldAt(scene, 'storedSegment');
      await merge(scene);
      await waiterIn(postgres.db, `wait_event = 'advisory' and application_name like ?`, ['% merger']);
      return { process: merger, release };
    },
  },
  { name: 'while it writes merged chunks', comes: (scene) => heldAt(scene, 'chunks', merge) },
  { name: 'while it writes numbers of robots', comes: (scene) => heldAt(scene, 'counters', merge) },
  { name: 'while it writes how far spools are merged', comes: (scene) => heldAt(scene, 'heads', merge) },
  { name: 'while it counts merged records', comes: (scene) => heldAt(scene, 'stats', merge) },
  { name: 'while it adds counts to their hours and days', comes: (scene) => heldAt(scene, 'rolledUp', merge) },
  { name: 'while it writes how far it merged', comes: (scene) => heldAt(scene, 'merged', merge) },
  { name: 'while it commits what it merged', comes: (scene) => heldAt(scene, 'mergedWindow', merge) },
  {
    name: 'when merged records are committed, before it knows',
    comes: (scene) => heldAfterCommit(scene, 'mergedWindow', merge),
  },
  {
    name: 'at any moment',
    async comes(scene) {
      const { service, random } = scene;
      await merge(scene);
      await sleep(random.below(500));
      return { process: random.pick([...service.replicas, service.merger]), release: () => Promise.resolve() };
    },
  },
];

const segmentsAreLeft = ({ service: { postgres } }: LogScene) =>
  until(async () => {
    const { rows } = await postgres.db.raw<{ rows: [{ left: boolean }] }>('select log_segments_are_left() as left');
    return rows[0].left;
  });

/** Begins to merge, once there is something to merge. */
async function merge(scene: LogScene): Promise<void> {
  await segmentsAreLeft(scene);
  void scene.service.merger.merge();
}

async function relink({ senders }: LogScene): Promise<void> {
  await Promise.all(senders.map((sender) => sender.relink()));
}

type Begin = (scene: LogScene) => Promise<void>;
const nothing: Begin = () => Promise.resolve();

/** Holds what reaches this step. */
const heldAt = async (scene: LogScene, step: Step, begin: Begin = nothing): Promise<Held> =>
  heldIn(scene, await stepsOf(scene.service).hold(step, () => begin(scene)));

/** Holds it after this step, when it is committed. */
const heldAfterCommit = async (scene: LogScene, step: Step, begin: Begin = nothing): Promise<Held> =>
  heldIn(scene, await stepsOf(scene.service).holdAfterCommit(step, () => begin(scene)));

const heldIn = async ({ service }: LogScene, { name, release }: HeldStep): Promise<Held> => ({
  process: await service.processOf(name),
  release,
});
