import { startIsolatedDeploymentWorld } from '../../support.ts';
import type { Case } from './case.ts';
import { startHistory, type Happening } from './history.ts';
import { startOperations } from './operations.ts';
import type { Scenario } from './scenario.ts';
import { passTime } from './time.ts';
import { watchWalk } from './watch.ts';

/** Of the end: each is a minute for the rows. */
const maxMinutes = 200;

/**
 * Runs a scenario on the engine with two replicas, and looks at each step whether an invariant is broken. In the end all robots
 * are there and willing, and nobody holds anything: everything ends but what waits for its window or a newer agent. Returns
 * how many of what there were.
 */
export async function walk(scenario: Scenario): Promise<Record<string, number>> {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const story: string[] = [];
  const watch = watchWalk(it, story);
  await startHistory(db);
  const operations = await startOperations(it, scenario, watch.open);
  let step = 0;

  /** Notes what happens from now on as of the next step. */
  const nextStep = () => db('walk').update({ step: (step += 1) });

  try {
    for (const operation of ['create', 'work', ...scenario.steps] as const) {
      await nextStep();
      story.push(`${step} ${operation} ${(await operations.run(operation)) ?? 'nothing'}`);
      await watch.settle();
      await watch.check();
      await watch.stuck();
      if (operation === 'time') await watch.checkOffline();
    }
    await operations.free();
    let stuck: string[] = [];
    for (let minute = 0; minute < maxMinutes; minute += 1) {
      await nextStep();
      await operations.applyAll();
      await watch.settle();
      stuck = await watch.stuck();
      if (stuck.length === 0) break;
      await passTime(db, 61);
    }
    const cases = await watch.check();
    await watch.checkEnd(stuck);
    return countCases(cases);
  } finally {
    await operations.stop();
  }
}

function countCases(cases: readonly Case[]): Record<string, number> {
  const all = cases.flatMap(({ happenings }) => happenings);
  const numberOf = (such: (each: Happening) => boolean) => all.filter(such).length;
  return {
    deployments: cases.length,
    orders: numberOf(({ facts }) => facts.to === 'dispatched'),
    approvals: numberOf(({ facts }) => facts.what === 'approve'),
    disturbances: numberOf(({ facts }) => facts.isOn === true),
    'waves begun while robots were offline or too old': numberOf(
      ({ facts: { openWave, openBefore, left = [] } }) => openWave !== openBefore && left.length > 0,
    ),
  };
}
