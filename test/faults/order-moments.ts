import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stateOf } from '../support/agent-process.ts';
import type { AgentFront, Checkpoint } from '../support/agent-proxy.ts';
import type { Home } from '../support/cli.ts';
import type { KillableService } from '../support/killable-service.ts';
import type { OrderStream } from './order-stream.ts';
import { until } from '../support/until.ts';

export const victims = ['server', 'agent', 'postgres'] as const;
export type Victim = (typeof victims)[number];

/** Orders on their way to one robot, whose agent and whose operator come through the front. */
export interface Scene {
  service: KillableService;
  front: AgentFront;
  home: Home;
  stream: OrderStream;
  /** Ids of the deployments whose cancellation was acknowledged. */
  cancelled: string[];
}

/** A moment in the life of an order. */
export interface Moment {
  name: string;
  /** Also in the short form, where an agent that is started again comes between two ends of the server: its first tries wait least. */
  isInShort?: boolean;
  /** Of the first round. */
  victim: Victim;
  /** Resolves when it is there; what it holds up goes on with what it gives. */
  comes(scene: Scene): Promise<(() => unknown) | undefined>;
}

export const moments: Moment[] = [
  {
    name: 'before the order is committed',
    victim: 'server',
    comes: ({ service }) => stuckIn(service, 'audit'),
  },
  {
    name: 'between the commit of the order and its answer',
    isInShort: true,
    victim: 'postgres',
    comes: ({ front }) => held(front.loseAnswer('/api/deployments')),
  },
  {
    name: 'between its beginning and its dispatch',
    victim: 'server',
    comes: ({ service }) => stuckIn(service, 'order_sequence'),
  },
  {
    name: 'between the commit of the dispatch and its frame',
    isInShort: true,
    victim: 'server',
    comes: ({ front }) => held(front.hold('server', ({ items }) => (items?.length ?? 0) > 0)),
  },
  {
    name: 'after the frame, before the journal of the agent',
    victim: 'agent',
    async comes({ front }) {
      const known = new Set<string>();
      await front.passes('server', ({ type, items = [] }) => {
        if (type !== 'desired') return false;
        const isNew = known.size > 0 && items.some(({ order_id: id }) => !known.has(id));
        for (const { order_id: id } of items) known.add(id);
        return isNew;
      });
      return undefined;
    },
  },
  {
    name: 'after the journal',
    victim: 'agent',
    comes: ({ front }) =>
      held(front.hold('agent', ({ type, status }) => type === 'report' && status === 'downloading')),
  },
  {
    name: 'after the rename of the config',
    victim: 'agent',
    comes: ({ home }) => changed(configFolder(home), 'default.json'),
  },
  { name: 'before the end of the hook', victim: 'agent', comes: ({ home }) => changed(home.path, 'hooks') },
  {
    name: 'while the program runs',
    isInShort: true,
    victim: 'agent',
    comes: ({ home }) => changed(home.path, 'runs'),
  },
  {
    name: 'between the report and its commit',
    isInShort: true,
    victim: 'postgres',
    async comes(scene) {
      const { service, front } = scene;
      const report = await inOneOrder(scene, () =>
        front.hold('agent', ({ type, status }) => type === 'report' && status === 'applied'),
      );
      await report.reached;
      return stuckIn(service, 'robot_reports', report.release);
    },
  },
  {
    name: 'between the commit and the acknowledgement',
    isInShort: true,
    victim: 'server',
    comes: ({ front }) => held(front.hold('server', ({ type, ended }) => type === 'report_ack' && ended === true)),
  },
  {
    name: 'between the acknowledgement and the journal of the agent',
    victim: 'agent',
    async comes({ front }) {
      await front.passes('server', ({ type, ended }) => type === 'report_ack' && ended === true);
      return undefined;
    },
  },
  {
    name: 'during a cancellation',
    victim: 'server',
    async comes({ service: { db, url, token }, cancelled }) {
      await until(async () => {
        const running = await db('deployments').where({ status: 'in_progress' }).first();
        if (!running) return false;
        const path = `/api/${running.release_id === null ? 'configs/' : ''}deployments/${running.id}/cancel`;
        const headers = { Authorization: `Bearer ${token}` };
        if ((await fetch(new URL(path, url), { method: 'POST', headers })).status !== 200) return false;
        cancelled.push(running.id as string);
        return true;
      });
      return undefined;
    },
  },
];

export const configFolder = (home: Home) => join(stateOf(home), 'config');

/** Lets the service run into a lock; resolves when it waits there. Nobody who is killed keeps what the lock was for. */
async function stuckIn({ db }: KillableService, what: 'audit' | 'order_sequence' | 'robot_reports', thenDo = () => {}) {
  const trx = await db.transaction();
  await trx.raw(
    what === 'order_sequence'
      ? 'alter sequence order_sequence increment by 1'
      : `lock table ${what} in share row exclusive mode`,
  );
  thenDo();
  // The sealer of the audit log waits there too, and is not who is meant.
  const waiting = `select from pg_locks join pg_stat_activity using (pid)
    where not granted and relation = '${what}'::regclass and query not like 'update audit %'`;
  await until(async () => (await db.raw<{ rows: object[] }>(waiting)).rows.length > 0);
  return () => trx.rollback().catch(() => undefined);
}

/** Begins something, and then one order alone: whatever came beside it would bring the list of the robot along, with what was lost. */
async function inOneOrder<T>({ service: { db }, stream }: Scene, begin: () => T): Promise<T> {
  stream.isResting = true;
  await until(async () => stream.isIdle && (await db('deployments').whereNull('ended_at').first()) === undefined);
  const begun = begin();
  const { length } = stream.acknowledged;
  stream.isResting = false;
  await until(() => stream.acknowledged.length > length);
  stream.isResting = true;
  return begun;
}

async function held({ reached, release }: Checkpoint) {
  await reached;
  return release;
}

/** Resolves when this file is written or renamed to. */
async function changed(folder: string, name: string): Promise<undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, (_event, changedName) => {
      if (changedName !== name) return;
      watcher.close();
      resolve();
    });
  });
}
