import type { Knex } from 'knex';
import type { ReplicaSet } from './replica-set.ts';

/** The linked robots according to the database, sampled continuously. */
export interface LinkWatch extends AsyncDisposable {
  /** Number of robots with a link now. */
  linked(): number;
  /** How long each lost link took to return, in ms, since the last call; missing ones count until now. */
  gapsMs(): number[];
  /** Call it after the replica is killed: its lease is still valid, its links are gone. */
  killed(url: string): Promise<void>;
}

const everyMs = 100;

export async function watchLinks({ db }: Pick<ReplicaSet, 'db'>): Promise<LinkWatch> {
  const dead = new Set<string>();
  const lostAt = new Map<string, number>();
  const robots = new Set<string>();
  let gaps: number[] = [];
  let linked = new Set<string>();
  async function sample(): Promise<void> {
    const now = performance.now();
    linked = new Set(await linkedRobots(db, [...dead]));
    for (const robot of linked) {
      robots.add(robot);
      const since = lostAt.get(robot);
      if (since !== undefined) gaps.push(now - since);
      lostAt.delete(robot);
    }
    for (const robot of robots) if (!linked.has(robot) && !lostAt.has(robot)) lostAt.set(robot, now);
  }
  await sample();
  let isOver = false;
  const isRunning = () => !isOver; // as a function: it changes while a sample is awaited
  const running = (async () => {
    while (isRunning()) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      await sample().catch(() => undefined); // the database may be frozen by the test
    }
  })();
  return {
    linked: () => linked.size,
    gapsMs() {
      const now = performance.now();
      const all = [...gaps, ...[...lostAt.values()].map((since) => now - since)];
      gaps = [];
      return all;
    },
    async killed(url) {
      for (const id of await db('replicas').where({ url }).pluck('id')) dead.add(id as string);
      await sample();
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await running;
    },
  };
}

async function linkedRobots(db: Knex, dead: readonly string[]): Promise<string[]> {
  return db('robot_links as l')
    .join('replicas as r', 'r.id', 'l.replica_id')
    .whereRaw('r.lease_until > now()')
    .whereNotIn('r.id', dead)
    .pluck('l.robot_id');
}
