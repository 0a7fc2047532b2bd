import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { newId } from '../kernel/ids.ts';
import type { Bus } from '../platform/bus/bus.ts';

/** How often other replicas are told what is followed here; they trust it for three times as long. */
const sayEveryMs = 10_000;
/** In case hints are lost: how often followers check for more by themselves. */
const lookEveryMs = 2_000;
/** Minimum time between hints to other replicas about one robot. */
const tellEveryMs = 100;

interface FollowSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
}

export type Follows = ReturnType<typeof logFollows>;

/**
 * Who follows the logs of which robot, here and on other replicas, so that code that stores records knows whom to wake.
 * Records are in the database: a lost hint costs up to `lookEveryMs`, never a record.
 */
export function logFollows({ db, bus, log }: FollowSettings) {
  const replicaId = newId();
  const here = new Map<string, { orgId: string; wakes: Set<() => void> }>(); // by robot
  const elsewhere = new Map<string, number>(); // by robot: until when, by performance.now()
  const toTell = new Map<string, string>(); // robots to announce to others, with their orgs
  let telling: NodeJS.Timeout | undefined;

  const announce = (hints: Parameters<Bus['send']>[1]) => {
    bus
      .send(db, hints)
      .catch((error: unknown) => log.debug({ err: error }, 'other replicas could not be notified of logs'));
  };
  const wakeAll = (robotId: string) => here.get(robotId)?.wakes.forEach((wake) => wake());
  const sayFollowed = () =>
    announce([...here].map(([robotId, { orgId }]) => ({ topic: 'logs_followed', orgId, robotId, replicaId })));

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'logs_stored') wakeAll(hint.robotId);
      if (hint.topic === 'logs_followed' && hint.replicaId !== replicaId)
        elsewhere.set(hint.robotId, performance.now() + 3 * sayEveryMs);
    },
    reset: sayFollowed,
  });
  const timers = [
    setInterval(() => {
      const now = performance.now();
      for (const [robotId, untilMs] of elsewhere) if (untilMs < now) elsewhere.delete(robotId);
      sayFollowed();
    }, sayEveryMs),
    setInterval(() => {
      for (const robotId of here.keys()) wakeAll(robotId);
    }, lookEveryMs),
  ];
  for (const timer of timers) timer.unref();

  function tell(): void {
    telling = undefined;
    announce([...toTell].map(([robotId, orgId]) => ({ topic: 'logs_stored', orgId, robotId })));
    toTell.clear();
  }

  return {
    isFollowed: (robotId: string): boolean => here.has(robotId) || elsewhere.has(robotId),

    /** New records of a robot are committed. */
    stored(orgId: string, robotId: string): void {
      wakeAll(robotId);
      if (!elsewhere.has(robotId)) return;
      toTell.set(robotId, orgId);
      telling ??= setTimeout(tell, tellEveryMs);
    },

    /** Calls `wake` whenever there may be more, until the returned function is called. */
    follow(orgId: string, robotId: string, wake: () => void): () => void {
      const known = here.get(robotId) ?? { orgId, wakes: new Set() };
      known.wakes.add(wake);
      if (!here.has(robotId)) {
        here.set(robotId, known);
        announce([{ topic: 'logs_followed', orgId, robotId, replicaId }]);
      }
      return () => {
        known.wakes.delete(wake);
        if (known.wakes.size === 0) here.delete(robotId);
      };
    },

    stop(): void {
      for (const timer of timers) clearInterval(timer);
      clearTimeout(telling);
    },
  };
}
