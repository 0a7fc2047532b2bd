import { isEnd, isFailure, isUnreached, readRunning, type Case, type Invariant } from './case.ts';
import type { Happening } from './history.ts';

const secondsOf = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);
const portionOf = (robots: readonly string[], percent: number) => Math.ceil((robots.length * percent) / 100 - 1e-9);

/** Robots of a wave by what they count for at the happening `end`. `began`: the happening with which the wave began. */
function countWave({ rollout, happenings }: Case, wave: number, began: number, end: number) {
  const before = happenings.slice(0, end + 1);
  const last = new Map(before.filter(({ kind }) => kind === 'moved').map((each) => [each.robot, each.facts]));
  const acceptedAt = before.findLastIndex(({ facts }) => facts.isAccepting === true);
  const accepted = new Set(
    before
      .slice(0, Math.max(0, acceptedAt))
      .filter(isFailure)
      .map(({ robot }) => robot),
  );
  const offlineAfter = rollout?.advance.offline_after;
  const afterSeconds = offlineAfter === undefined ? Infinity : secondsOf(offlineAfter);
  const tookMs = (happenings[end]?.atMs ?? 0) - (happenings[began]?.atMs ?? 0);
  const isLost = (robot: string) =>
    happenings[end]?.facts.left?.some(
      (each) =>
        each.robot === robot &&
        ((each.status === 'waiting' && each.isTooOld) ||
          (tookMs > afterSeconds * 1_000 - 50 && (each.offlineSeconds ?? 0) > afterSeconds - 0.05)),
    );
  const all = before.flatMap(({ kind, robot, facts }) =>
    kind === 'expanded' && robot !== null && facts.wave === wave ? [robot] : [],
  );
  const isLeft = (robot: string) => {
    const { to, reason } = last.get(robot) ?? {};
    return to !== 'cancelled' && reason !== 'robot_removed' && !accepted.has(robot);
  };
  const candidates = all.filter(isLeft);
  const isExpired = (robot: string) => offlineAfter !== undefined && isUnreached(last.get(robot)?.reason);
  const members = candidates.filter((robot) => !isExpired(robot) && !isLost(robot));
  return {
    isEmpty: all.every((robot) => last.get(robot)?.to === 'cancelled'),
    candidates,
    members,
    ended: members.filter((robot) => isEnd(last.get(robot)?.to)),
  };
}

/** How many of the robots have applied it and run it well at the end, and since when at least `need` do without interruption. */
function followRobots(happenings: readonly Happening[], robots: readonly string[], need: number) {
  const running = readRunning();
  let [good, sinceMs] = [0, need <= 0 ? -Infinity : NaN];
  for (const each of happenings) {
    running.see(each);
    const disturbed = new Set(running.disturbed());
    good = robots.filter((robot) => running.applied.has(robot) && !disturbed.has(robot)).length;
    if (good < need) sinceMs = NaN;
    else if (Number.isNaN(sinceMs)) sinceMs = each.atMs;
  }
  return { good, sinceMs };
}

/**
 * A next wave begins when enough robots applied it and run it well, for the soak time, or a person said so. Robots that are
 * offline for too long hold it up no longer. Those that come back count, without a soak time of their own.
 */
export const wavesEarned: Invariant = (of) => {
  const { rollout, happenings } = of;
  if (!rollout) return undefined;
  const { applied_percent: percent, min_ended: minEnded, soak, then } = rollout.advance;
  for (const [index, start] of happenings.entries()) {
    const { openWave, openBefore } = start.facts;
    if (start.kind !== 'changed' || !openBefore || openWave === openBefore) continue;
    const began = happenings.findLastIndex(
      ({ kind, facts }, at) =>
        at < index && kind === 'changed' && facts.openWave === openBefore && facts.openBefore !== openBefore,
    );
    const since = happenings.slice(began, index);
    const said = (what: string) => since.some((each) => each.kind === 'operation' && each.facts.what === what);
    if (said('advance') || countWave(of, openBefore, began, index).isEmpty) continue;
    if (then === 'pause') {
      if (!said('resume')) return `wave ${openWave} began without a person`;
      continue;
    }
    // People approve the next wave after this one has ended.
    const asked = since.findIndex(
      ({ kind, facts }) => kind === 'changed' && facts.to === 'paused' && facts.reason === 'approval',
    );
    const end = then === 'approval' && asked >= 0 ? began + asked : index;
    const { candidates, members, ended } = countWave(of, openBefore, began, end);
    const until = happenings.slice(0, end + 1);
    const need = portionOf(members, percent);
    const { good } = followRobots(until, members, need);
    if (good < need || (percent === 0 && ended.length < members.length))
      return `wave ${openWave} began when ${good} of ${members.length} robots had applied the wave before and ran it well`;
    if (ended.length < Math.min(minEnded, candidates.length))
      return `wave ${openWave} began when ${ended.length} robots had ended, not ${minEnded}`;
    const returned = new Set(since.flatMap(({ kind, robot }) => (kind === 'returned' ? [robot] : [])));
    const steady = members.filter((robot) => !returned.has(robot));
    const { sinceMs } = followRobots(until, steady, portionOf(steady, percent));
    const heldMs = (happenings[end]?.atMs ?? 0) - sinceMs;
    if (heldMs < secondsOf(soak) * 1_000 - 50)
      return `wave ${openWave} began ${Math.round(heldMs)} ms after the wave before; its soak time is ${soak}`;
  }
  return undefined;
};

const roles = ['viewer', 'operator', 'admin'];

/**
 * Nothing is sent before enough people approved it, and with `then: approval` no wave begins: its author does not count, nor
 * who has a lower role. A wave without robots needs no approval of the next one.
 */
export const approvedFirst: Invariant = ({ rollout, happenings }) => {
  if (!rollout?.approval) return undefined;
  const { people, role } = rollout.approval;
  const given = new Map<number, Set<string>>(); // who approved, by wave; 0: the deployment
  const approversOf = (wave: number) => given.get(wave)?.size ?? 0;
  const left = new Map<string | null, number>(); // waves of robots that were not cancelled
  for (const { kind, robot, facts } of happenings) {
    const { wave = 0, openWave, openBefore } = facts;
    if (kind === 'expanded') left.set(robot, wave);
    if (kind === 'moved' && facts.to === 'cancelled') left.delete(robot);
    if (kind === 'decided') {
      const by = given.get(wave) ?? new Set<string>();
      given.set(wave, by);
      if (facts.what !== 'approve') by.delete(facts.by ?? '');
      else if (!facts.isAuthor && roles.indexOf(facts.role ?? '') >= roles.indexOf(role)) by.add(facts.by ?? '');
    }
    if (kind === 'moved' && facts.to === 'dispatched' && approversOf(0) < people)
      return `robot ${robot} was sent an order that ${approversOf(0)} people had approved, not ${people}`;
    if (kind !== 'changed' || !openWave || !openBefore || openWave === openBefore) continue;
    const isAsked = rollout.advance.then === 'approval' && [...left.values()].includes(openBefore);
    if (isAsked && approversOf(openWave) < people)
      return `wave ${openWave} began, which ${approversOf(openWave)} people had approved, not ${people}`;
  }
  return undefined;
};
