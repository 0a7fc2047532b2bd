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
import { BrokenRule, NoLink, NotSupported } from './rule.ts';
import { withoutSecrets } from './secrets.ts';
import { startAgentSandbox } from './agent-sandbox.ts';

import type { Outcome } from './outcome.ts';
export { junit } from './junit.ts';

interface ConformanceSettings extends Pick<SceneSettings, 'command' | 'environment' | 'timeoutMs'> {
  /** Names of the checks. */
  names: readonly string[];
  /** The number of concurrent agents. */
  jobs: number;
  /** Called with each outcome, in the order of the list. */
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

/** All checks, in the order of a report. */
export const checkList: readonly { name: string; rule: string }[] = [...checks, frames];

/** What the checks of a run report to it. */
interface Course {
  /** Frames that broke the contract. */
  breaches: string[];
  /** A link came up, or the check ended without one. */
  begun(): void;
  /** The agent opened no link, although nothing was refused. */
  lost(check: Check): void;
}

/**
 * Runs each check with its own agent and test service. The others begin once the first has seen a link. If it sees
 * none, the others are skipped: each would fail in the same way. Returns the outcomes in the order of the list.
 */
export async function runConformance(settings: ConformanceSettings): Promise<Outcome[]> {
  const { names, jobs, done } = settings;
  const wanted = checks.filter(({ name }) => names.includes(name));
  const outcomes = new Map<string, Outcome>();
  const [first, ...others] = wanted;
  const waiting = others.toSorted((one, other) => Number(other.isSlow ?? false) - Number(one.isSlow ?? false));
  let nextIndex = 0;
  const ended = (outcome: Outcome) => {
    outcomes.set(outcome.check, outcome);
    // Checks end in any order, and are reported in that of the list.
    for (let next = wanted[nextIndex]; next && outcomes.has(next.name); next = wanted[nextIndex]) {
      const known = outcomes.get(next.name);
      nextIndex += 1;
      if (known) done(known);
    }
  };
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  let untried: string | undefined;
  const course: Course = {
    breaches: [],
    begun: () => begun(),
    lost({ name }) {
      if (name !== first?.name) return;
      untried = `not tried: the agent opened no link in the check ${name}`;
      for (const { name: check, rule } of waiting.splice(0))
        ended({ check, rule, result: 'skipped', why: untried, isUntried: true, seconds: 0 });
    },
  };
  const work = async (check = waiting.shift()) => {
    for (let next = check; next; next = waiting.shift()) ended(await judge(next, settings, course));
  };
  await Promise.all([work(first), ...Array.from({ length: jobs - 1 }, () => hasBegun.then(() => work()))]);
  if (names.includes(frames.name)) {
    const [breach] = course.breaches;
    const outcome: Outcome = {
      check: frames.name,
      rule: frames.rule,
      ...(wanted.length === 0
        ? { result: 'skipped', why: 'it judges what comes in other checks, and none was made' }
        : breach !== undefined
          ? { result: 'failed', why: withoutSecrets(breach) }
          : untried !== undefined
            ? { result: 'skipped', why: untried, isUntried: true }
            : { result: 'ok' }),
      seconds: 0,
    };
    outcomes.set(frames.name, outcome);
    done(outcome);
  }
  return checkList.flatMap(({ name }) => outcomes.get(name) ?? []);
}

async function judge(check: Check, settings: ConformanceSettings, course: Course): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = (result: Outcome['result'], why?: string): Outcome => ({
    check: check.name,
    rule: check.rule,
    result,
    ...(why !== undefined && { why: withoutSecrets(why) }),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  });
  await using workplace = await startAgentSandbox();
  await using scene = await startScene({ ...settings, workplace, linked: () => course.begun() });
  try {
    await check.run(scene);
    return outcome('ok');
  } catch (error) {
    if (error instanceof NotSupported) return outcome('skipped', error.message);
    if (error instanceof NoLink) course.lost(check);
    if (error instanceof BrokenRule) return outcome('failed', error.message);
    throw error;
  } finally {
    // Only the first is reported; a hostile agent causes a hundred thousand.
    course.breaches.push(...scene.service.breaches.slice(0, 1));
    course.begun();
  }
}
