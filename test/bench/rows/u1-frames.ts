import { setTimeout as sleep } from 'node:timers/promises';
import { tempDir } from '../../support/temp-dir.ts';
import { startUiScreen } from '../../support/ui-screen.ts';
import { built } from '../harness/built.ts';
import { startChangingFleet } from '../harness/changing-fleet.ts';
import { usageOf } from '../harness/proc.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { startUiJob, type UiJob } from '../harness/ui-job.ts';

/** What was begun before is over by then. */
const settleMs = 3_000;

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** Percent of a core in the next so many ms. */
async function cpuPercent(job: UiJob, ms: number): Promise<number> {
  await sleep(settleMs);
  const before = await usageOf(job.pid);
  const beganMs = performance.now();
  await sleep(ms);
  const after = await usageOf(job.pid);
  return ((after.cpuMs - before.cpuMs) / (performance.now() - beganMs)) * 100;
}

/** The most that the built client has while it shows a list that it reads again and again: what its stores take is in it. */
async function highestRssMb(ms: number): Promise<number> {
  await using fleet = await startChangingFleet();
  await using home = await tempDir();
  const line = [process.execPath, built('dist/cli/main.js'), 'ui', '--base-url', fleet.url];
  const env = { HOME: home.path, SERVICE_TOKEN: `svc_user_${'0'.repeat(64)}` };
  using screen = startUiScreen(line, { columns: 200, rows: 50, env });
  await screen.sees('Overview');
  screen.type('2');
  await screen.sees('10,000 robots');
  let highest = 0;
  for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(500))
    highest = Math.max(highest, (await usageOf(screen.pid)).rssMb);
  screen.type('q');
  await screen.ended;
  return highest;
}

/** But for its last line `cli ui` without the service: its screens, its stores' readers and its painter, on a real terminal. */
export const framesRow: Row = {
  id: 'U1',
  work: 'cli ui at 200 x 50 with 10,000 robots, 100 changes a second; 2,000 log lines a second',
  against: 'a limit',
  processes: 1, // It takes minutes, and its percentiles are of one interface over that time.
  async run(context) {
    await using job = await startUiJob();
    const idle = await cpuPercent(job, context.requests(20_000));
    const update = { kind: 'update', ms: context.requests(20_000) } as const;
    await job.run({ ...update, ms: settleMs });
    const { turnsMs } = await job.run(update);
    const updating = job.run({ ...update, ms: 60_000 });
    const keysMs: number[] = [];
    for (let count = 0; count < context.requests(200); count += 1) {
      keysMs.push(await job.press(count % 40 < 20 ? 'j' : 'k'));
      await sleep(50);
    }
    await updating;
    await job.run({ kind: 'hour' });
    const { rssMb } = await usageOf(job.pid);
    await job.run({ kind: 'log' });
    const following = await cpuPercent(job, context.requests(20_000));
    const reading = await highestRssMb(context.requests(120_000));
    return [
      limitLine('ms of CPU a frame, p95', percentile(turnsMs, 0.95), 16),
      limitLine('ms from a key to the screen, p95', percentile(keysMs, 0.95), 50),
      limitLine('% of a core where nothing changes', idle, 1),
      limitLine("RSS MB after an hour's changes on the list of robots", rssMb, 200),
      limitLine('% of a core, following the log', following, 25),
      limitLine('highest RSS MB, reading the list of a service', reading, 200),
    ];
  },
};
