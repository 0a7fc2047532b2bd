import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOurs } from '../harness/ours.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';

const warmGoalMs = 1_000;
const coldGoalMs = 5_000;

/** Starts and stops a server `times` times; the time from spawn to its "ready" line, ms each. */
async function starts(times: number, env: Readonly<Record<string, string>>): Promise<number[]> {
  const readyAfterMs: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await using server = await startOurs(env);
    const ready = await fetch(`${server.url}/readyz`);
    if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status} after the ready line`);
    readyAfterMs.push(server.readyAfterMs);
  }
  return readyAfterMs;
}

/** From spawn to ready: an empty data folder, the same folder again, an empty database, the same database again. */
export const startRow: Row = {
  id: 'H4',
  work: 'start to ready, cold and warm',
  against: 'a limit',
  async run(context) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      const embedded = { SERVICE_EMBEDDED: '1', SERVICE_DATA_DIR: dataDir };
      const coldEmbedded = await starts(1, embedded);
      const warmEmbedded = await starts(context.rounds(9), embedded);
      const given = { DATABASE_URL: (await context.database('h4', { migrated: false })).url };
      const coldGiven = await starts(1, given);
      const warmGiven = await starts(context.rounds(9), given);
      return [
        limitLine('ms, warm, embedded Postgres', median(warmEmbedded), warmGoalMs),
        limitLine('ms, warm, DATABASE_URL', median(warmGiven), warmGoalMs),
        limitLine('ms, cold, embedded Postgres', median(coldEmbedded), coldGoalMs),
        limitLine('ms, cold, DATABASE_URL', median(coldGiven), coldGoalMs),
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
