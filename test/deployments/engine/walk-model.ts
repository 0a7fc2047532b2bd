import { hash } from 'node:crypto';
import { returnsOf } from './walk-rollbacks.ts';

/** What a robot may say, in the order of its work. */
const steps = ['dispatched', 'downloading', 'installing', 'verifying'];
const terminal = ['applied', 'failed', 'rolled_back', 'cancelled'];

export interface ModelTarget {
  status: string;
  reason: string | null;
  wave: number;
  accepted: boolean; // it failed, and a person resumed since
}

/** A rollout whose waves have sizes only, and end when all their robots applied it; a lenient one when all ended. */
export interface ModelRollout {
  sizes: number[];
  pauses: boolean; // after each wave
  isLenient: boolean;
  abort: { count: number; action: 'pause' | 'cancel' | 'rollback' } | undefined; // for any reason, in all waves together
  wave: number; // the latest that has begun
  lastWave: number;
  hasEnded: boolean; // that wave
  hasPaused: boolean; // by itself, as a wave failed or a rule was reached
}

export interface ModelDeployment {
  name: string; // of the walk, for its story
  id: string | undefined; // of one that the service makes: once it is found
  causeId: string | undefined;
  lane: string;
  key: string;
  payload: string; // what it pins: two of the same are the same to a robot
  scope: 'robot' | 'fleet';
  targetId: string;
  isDue: boolean;
  rank: number | undefined;
  cancelled: boolean;
  paused: boolean; // as long as it is open and not cancelled
  begun: boolean;
  rollout: ModelRollout | undefined;
  ended: string | undefined; // where it ended without robots
  decided: Set<string> | undefined; // robots on which its rollback has decided; undefined: none was requested
  rolledBackAt: number | undefined; // rank of the newest deployment when its rollback was requested
  rollbackOf: ModelDeployment | undefined;
  returning: ReadonlyMap<string, number> | undefined; // the robots of a rollback, with the waves that they were in
  targets: Map<string, ModelTarget>; // by robot
}

export interface ModelOrder {
  robotId: string;
  lane: string;
  deployments: ModelDeployment[];
  cancel: boolean;
}

export interface ModelRobot {
  fleetId: string;
  linked: boolean;
  seen: boolean; // it was linked before
  gone: boolean;
}

const isOpen = (target: ModelTarget | undefined) => target !== undefined && !terminal.includes(target.status);
const isOut = (target: ModelTarget | undefined) => isOpen(target) && target?.status !== 'waiting';

export type WalkModel = ReturnType<typeof walkModel>;

/** The engine as it is promised, without time: after each call everything that follows has happened. */
export function walkModel() {
  const robots = new Map<string, ModelRobot>();
  const deployments: ModelDeployment[] = [];
  let orders: ModelOrder[] = [];
  let ranks = 0;
  /** Rolled back, and whether all its robots had ended when they were returned. */
  const returned = new Map<ModelDeployment, boolean>();

  /** Those that began, in the order in which they did: one that was created for later may come after newer ones. */
  const ranked = () =>
    deployments.filter(({ rank }) => rank !== undefined).toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  const isNewest = (deployment: ModelDeployment, robotId: string) =>
    !ranked().some(
      (other) =>
        other.lane === deployment.lane &&
        other.key === deployment.key &&
        (other.rank ?? 0) > (deployment.rank ?? 0) &&
        other.targets.has(robotId),
    );
  const statusOf = ({ isDue, cancelled, paused, begun, ended, rank, targets }: ModelDeployment): string => {
    if (ended !== undefined) return ended;
    if (paused && !cancelled && rank === undefined) return 'paused';
    if (!isDue || rank === undefined) return 'scheduled';
    const all = [...targets.values()];
    if (all.some(isOpen)) return cancelled ? 'cancelling' : paused ? 'paused' : begun ? 'in_progress' : 'pending';
    return (
      ['failed', 'rolled_back', 'applied'].find((word) => all.some(({ status }) => status === word)) ?? 'cancelled'
    );
  };
  /** What it caused waits: it is paused, or its last wave has not begun. */
  const isHolding = (deployment: ModelDeployment) => {
    const { rollout, cancelled } = deployment;
    const hasWaves = rollout !== undefined && rollout.wave > 0 && rollout.wave < rollout.lastWave;
    const status = statusOf(deployment);
    return (
      status === 'paused' || deployment.decided !== undefined || (hasWaves && !cancelled && !terminal.includes(status))
    );
  };
  const isHeld = (deployment: ModelDeployment) =>
    statusOf(deployment) === 'paused' || deployments.some((each) => each.id === deployment.causeId && isHolding(each));
  const hasBegun = ({ rollout }: ModelDeployment, { wave }: ModelTarget) =>
    rollout === undefined || wave <= rollout.wave;
  const end = (target: ModelTarget, status: string, reason: string | null = null) =>
    Object.assign(target, { status, reason });

  function expand(deployment: ModelDeployment): void {
    const { returning } = deployment;
    const isMeant = (id: string, fleetId: string) =>
      returning ? returning.has(id) : deployment.targetId === (deployment.scope === 'robot' ? id : fleetId);
    const found = [...robots].filter(([id, { fleetId, gone }]) => !gone && isMeant(id, fleetId));
    if (found.length === 0) deployment.ended = 'failed';
    else deployment.rank = ranks += 1;
    const { rollout, payload } = deployment;
    const order = ([id, { seen }]: (typeof found)[number]) => `${seen ? 0 : 1} ${hash('md5', `${id}${payload}`)}`;
    const inOrder = found
      .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
      .toSorted(([one], [other]) => (returning?.get(other) ?? 0) - (returning?.get(one) ?? 0));
    const waves = (rollout?.sizes ?? []).flatMap((size, index) => Array.from({ length: size }, () => index + 1));
    const rest = (rollout?.sizes.length ?? 0) + 1;
    deployment.targets = new Map(
      inOrder.map(([id], index) => [
        id,
        { status: 'waiting', reason: null, wave: waves[index] ?? rest, accepted: false },
      ]),
    );
    if (rollout)
      Object.assign(rollout, { wave: 1, lastWave: found.length > waves.length ? rest : rollout.sizes.length });
  }

  /** Returns whether anything changed. */
  function decide(deployment: ModelDeployment): boolean {
    const { rollout, targets } = deployment;
    const isPaused = statusOf(deployment) === 'paused' && rollout?.hasPaused === true;
    if (!rollout || !(isPaused || ['pending', 'in_progress'].includes(statusOf(deployment)))) return false;
    const all = [...targets.values()];
    const left = ({ status, reason }: ModelTarget) => status === 'cancelled' || reason === 'robot_removed';
    const failed = (target: ModelTarget) =>
      ['failed', 'rolled_back'].includes(target.status) && !target.accepted && !left(target);
    const counted = all.filter((target) => failed(target) && target.reason !== 'expired');
    if (rollout.abort && counted.length >= rollout.abort.count) {
      if (isPaused && rollout.abort.action === 'pause') return false;
      if (rollout.abort.action === 'pause') deployment.paused = rollout.hasPaused = true;
      else if (rollout.abort.action === 'cancel') cancel(deployment);
      else rollBack(deployment);
      return true;
    }
    if (isPaused || rollout.wave >= rollout.lastWave) return false;
    const total = all.filter((target) => target.wave === rollout.wave && !left(target));
    const members = total.filter(({ accepted }) => !accepted);
    if (rollout.isLenient && total.some(isOpen)) return false;
    if (!rollout.isLenient && !rollout.hasEnded && total.length > 0) {
      if (members.some(failed)) return (deployment.paused = rollout.hasPaused = true);
      if (members.some(({ status }) => status !== 'applied')) return false;
      if (rollout.pauses) return (deployment.paused = rollout.hasEnded = true);
    }
    Object.assign(rollout, { wave: rollout.wave + 1, hasEnded: false });
    return true;
  }

  function sweep(): void {
    for (const deployment of deployments)
      for (const [robotId, target] of deployment.targets) {
        if (target.status === 'waiting' && deployment.cancelled) end(target, 'cancelled');
        if (target.status === 'waiting' && !isNewest(deployment, robotId)) end(target, 'cancelled', 'superseded');
        if (deployment.cancelled && steps.includes(target.status)) {
          end(target, 'cancelling');
          for (const order of orders)
            if (order.robotId === robotId && order.deployments.includes(deployment)) order.cancel = true;
        }
      }
    orders = orders.filter(({ robotId, deployments: on }) => on.some(({ targets }) => isOut(targets.get(robotId))));
  }

  const isReady = (deployment: ModelDeployment, robotId: string): boolean => {
    const target = deployment.targets.get(robotId);
    return target?.status === 'waiting' && hasBegun(deployment, target) && !isHeld(deployment);
  };

  function dispatch(): void {
    for (const [robotId, { linked }] of robots) {
      if (!linked) continue;
      const ready = ranked().filter((each) => isReady(each, robotId));
      for (const lane of new Set(ready.map((each) => each.lane))) {
        if (orders.some((order) => order.robotId === robotId && order.lane === lane)) continue;
        const on = ready.filter((each) => each.lane === lane);
        orders.push({ robotId, lane, deployments: on, cancel: false });
        for (const each of on) {
          each.begun = true;
          end(each.targets.get(robotId) as ModelTarget, 'dispatched');
        }
      }
    }
  }

  function settle(): void {
    for (const each of deployments)
      if (each.isDue && each.rank === undefined && each.ended === undefined && !each.cancelled && !each.paused)
        expand(each);
    do {
      sweep();
      dispatch();
    } while (deployments.filter(decide).length > 0 || returnRobots());
  }

  /** Of what is rolled back: at the request, and once all its robots have ended. Returns whether anything changed. */
  function returnRobots(): boolean {
    const due = deployments.filter((each) => {
      const isOver = terminal.includes(statusOf(each));
      return each.decided && (!returned.has(each) || (isOver && !returned.get(each)));
    });
    for (const original of due) {
      returned.set(original, terminal.includes(statusOf(original)));
      const made = returnsOf(original, original.decided ?? new Set(), ranked(), robots);
      deployments.push(...made);
      made.forEach(expand);
    }
    return due.length > 0;
  }

  function rollBack(deployment: ModelDeployment): void {
    if (!terminal.includes(statusOf(deployment))) cancel(deployment);
    for (const each of deployments)
      if (each.causeId === deployment.id && [...each.targets.values()].some(isOpen)) each.cancelled = true;
    deployment.decided ??= new Set();
    deployment.rolledBackAt ??= ranks;
  }

  function cancel(deployment: ModelDeployment): void {
    // Robots that joined wait for it as it holds them: they do not get it either.
    if (isHolding(deployment) || deployment.rollout)
      for (const each of deployments)
        if (
          each.causeId === deployment.id &&
          [...each.targets.values()].some(deployment.rollout ? isOpen : ({ status }) => status === 'waiting')
        )
          each.cancelled = true;
    deployment.cancelled = true;
    if (deployment.rank === undefined) deployment.ended = 'cancelled';
  }

  function judge(target: ModelTarget, said: string, isProven: boolean, isCancelOrder: boolean): void {
    const { status } = target;
    if (status === 'waiting' || terminal.includes(status)) return;
    if (said === 'applied' && !isProven) return void end(target, 'failed', 'digest_mismatch');
    if (said === 'applied') {
      if (status !== 'rolling_back') end(target, 'applied');
      return;
    }
    if (said === 'failed' || said === 'rolled_back') return void end(target, said);
    if (said === 'rolling_back') return void end(target, said, status === said ? target.reason : null);
    if (said === 'cancelled') {
      if (status === 'cancelling') return void end(target, 'cancelled');
      if (isCancelOrder && steps.includes(status)) return void end(target, 'waiting');
      return void end(target, 'failed', 'agent_cancelled');
    }
    if (steps.includes(status) && steps.indexOf(said) > steps.indexOf(status)) end(target, said);
  }

  /** What a robot that came to its fleet is meant to have and has not. */
  function arrive(robotId: string): void {
    const { fleetId } = robots.get(robotId) as ModelRobot;
    const newestOf = ({ lane, key }: ModelDeployment) =>
      ranked().findLast((each) => each.lane === lane && each.key === key && each.targets.has(robotId));
    const isRolledBack = ({ causeId, decided }: ModelDeployment): boolean =>
      decided !== undefined ||
      (causeId !== undefined && deployments.some((each) => each.id === causeId && each.decided !== undefined));
    const lastingRankOf = ({ lane, key }: ModelDeployment) =>
      ranked().findLast(
        (each) =>
          each.lane === lane &&
          each.key === key &&
          each.targets.has(robotId) &&
          each.rollbackOf === undefined &&
          !isRolledBack(each),
      )?.rank ?? Infinity;
    const meant = new Map<string, ModelDeployment>();
    for (const scope of ['fleet', 'robot'])
      for (const each of ranked()) {
        const isFor =
          scope === 'fleet'
            ? each.targetId === fleetId
            : each.targetId === robotId && (each.rank ?? 0) >= lastingRankOf(each);
        const isOwn = each.causeId === undefined && each.rollbackOf === undefined && each.decided === undefined;
        if (each.scope === scope && isFor && !each.cancelled && isOwn) meant.set(`${each.lane} ${each.key}`, each);
      }
    for (const cause of [...meant.values()]) {
      const had = newestOf(cause);
      const target = had?.targets.get(robotId);
      const isWanting = target?.status === 'cancelled' || target?.reason === 'expired';
      if (had?.payload === cause.payload && !isWanting) continue;
      deployments.push({
        ...cause,
        name: `${cause.name} for a newcomer`,
        id: undefined,
        causeId: cause.id,
        scope: 'robot',
        targetId: robotId,
        begun: false,
        paused: false,
        rank: (ranks += 1),
        rollout: undefined,
        decided: undefined,
        targets: new Map([[robotId, { status: 'waiting', reason: null, wave: 1, accepted: false }]]),
      });
    }
  }

  return {
    robots,
    deployments,
    settle,
    arrive,
    orders: () => orders,
    isOpen,
    hasBegun,
    add: (deployment: ModelDeployment) => void deployments.push(deployment),

    cancel,
    rollBack,

    /** What is rolled back is looked at each minute. */
    minutePasses(): void {
      returned.clear();
    },

    pause: (deployment: ModelDeployment) => void (deployment.paused = true),

    resume(deployment: ModelDeployment): void {
      deployment.paused = false;
      if (deployment.rollout) deployment.rollout.hasPaused = false;
      if (deployment.rollout)
        for (const target of deployment.targets.values())
          target.accepted = ['failed', 'rolled_back'].includes(target.status);
      deployment.begun = [...deployment.targets.values()].some(
        ({ status }) => !['waiting', 'failed', 'cancelled'].includes(status),
      );
    },

    report({ robotId, deployments: on, cancel }: ModelOrder, said: string, isProven: boolean): void {
      for (const { targets } of on) {
        const target = targets.get(robotId);
        if (target) judge(target, said, isProven, cancel);
      }
    },

    remove(robotId: string): void {
      Object.assign(robots.get(robotId) as ModelRobot, { gone: true, linked: false });
      for (const { targets } of deployments) {
        const target = targets.get(robotId);
        if (target && isOpen(target))
          end(target, target.status === 'rolling_back' ? 'failed' : 'cancelled', 'robot_removed');
      }
    },

    expire(target: ModelTarget): void {
      if (target.status === 'cancelling') end(target, 'cancelled', 'forced');
      else end(target, 'failed', ['waiting', 'dispatched'].includes(target.status) ? 'expired' : 'timed_out');
    },

    statusOf,
  };
}
