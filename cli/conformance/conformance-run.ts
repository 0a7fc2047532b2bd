import { startScene, type Check, type SceneSettings } from './check.ts';
import { endingChecks } from './checks/endings.ts';
import { enrollmentChecks } from './checks/enrollment.ts';
import { linkChecks } from './checks/link.ts';
import { logChecks } from './checks/logs.ts';
import { orderChecks } from './checks/orders.ts';
import { cameraChecks } from './checks/cameras.ts';
import { shellChecks } from './checks/shells.ts';
import { tokenChecks } from './checks/token.ts';
import { topicChecks } from './checks/topics.ts';
import { BrokenRule, NotClaimed } from './rule.ts';
import { withoutSecrets } from './secrets.ts';
import { startWorkplace } from './workplace.ts';

export { junit } from './junit.ts';

/** What became of one check. */
export interface Outcome {
  check: string;
  rule: string;
  result: 'ok' | 'failed' | 'skipped';
  /** Why it failed or was skipped, with what came. */
  why?: string;
  seconds: number;
}

interface ConformanceSettings extends Pick<SceneSettings, 'command' | 'environment' | 'patienceMs'> {
  /** Names of the checks. */
  names: readonly string[];
  /** So many agents at a time. */
  jobs: number;
  /** Called with each as it ends. */
  done(outcome: Outcome): void;
}

const frames = {
  name: 'frames',
  rule: 'Each frame that it sends is one by the contract',
};
const checks: readonly Check[] = [
  ...enrollmentChecks,
  ...linkChecks,
  ...endingChecks,
  ...tokenChecks,
  ...logChecks,
  ...orderChecks,
  ...shellChecks,
  ...cameraChecks,
  ...topicChecks,
];

/** Every check there is, in the order of a report. */
export const checkList: readonly { name: string; rule: string }[] = [...checks, frames];

/** Each check has an agent and a counterpart of its own. Gives the outcomes in the order of the list. */
export async function runConformance(settings: ConformanceSettings): Promise<Outcome[]> {
  const { names, jobs, done } = settings;
  const wanted = checks.filter(({ name }) => names.includes(name));
  const outcomes = new Map<string, Outcome>();
  const breaches: string[] = [];
  const waiting = wanted.toSorted((one, other) => Number(other.isSlow ?? false) - Number(one.isSlow ?? false));
  let told = 0;
  const ended = (outcome: Outcome) => {
    outcomes.set(outcome.check, outcome);
    // They end in any order, and are told in that of the list.
    for (let next = wanted[told]; next && outcomes.has(next.name); next = wanted[told]) {
      const known = outcomes.get(next.name);
      told += 1;
      if (known) done(known);
    }
  };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      ended(await judge(check, settings, breaches));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (names.includes(frames.name)) {
    const [first] = breaches;
    const outcome: Outcome = {
      check: frames.name,
      rule: frames.rule,
      ...(wanted.length === 0
        ? { result: 'skipped', why: 'it judges what comes in other checks, and none was made' }
        : first === undefined
          ? { result: 'ok' }
          : { result: 'failed', why: withoutSecrets(first) }),
      seconds: 0,
    };
    outcomes.set(frames.name, outcome);
    done(outcome);
  }
  return checkList.flatMap(({ name }) => outcomes.get(name) ?? []);
}

async function judge(check: Check, settings: ConformanceSettings, breaches: string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = (result: Outcome['result'], why?: string): Outcome => ({
    check: check.name,
    rule: check.rule,
    result,
    ...(why !== undefined && { why: withoutSecrets(why) }),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  });
  await using workplace = await startWorkplace();
  await using scene = await startScene({ ...settings, workplace });
  try {
    await check.run(scene);
    return outcome('ok');
  } catch (error) {
    if (error instanceof NotClaimed) return outcome('skipped', error.message);
    if (error instanceof BrokenRule) return outcome('failed', error.message);
    throw error;
  } finally {
    breaches.push(...scene.service.breaches);
  }
}
