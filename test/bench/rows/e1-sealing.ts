import type { Knex } from 'knex';
import { chainFrom, startOf } from '../../../cli/commands/audit/chain.ts';
import type { AuditEntry } from '../../../cli/api/api.ts';
import { maxEntries } from '../../../src/audit/model.ts';
import { auditService } from '../../../src/audit/service.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { pair, pick } from '../harness/pairing.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { atLeastLine, ratioLine, type Row } from '../harness/row.ts';
import { sealBarely, verifyBarely } from '../peers/seal-floor.ts';

const entries = 20_000;
const goals = { sealed: 0.6, verified: 0.5 };

interface Sample {
  perSecond: number;
  cpuUs: number; // an entry: this process and Postgres
}

/** Entries of the audit log from their commit to number and hash, and from the text of the API to the proof. */
export const sealingRow: Row = {
  id: 'E1',
  work: `sealing ${entries.toLocaleString('en-US')} entries of the audit log, and verifying them as the client does`,
  against: 'the same statements and SHA-256 over the same text',
  async run(context) {
    const { url } = await context.database('e1');
    const count = context.requests(entries);
    const db = openDatabase(url);

    async function measure(work: () => Promise<void> | void): Promise<Sample> {
      const [node, backends, startedAt] = [process.cpuUsage(), await backendCpuMs(url), performance.now()];
      await work();
      const wallMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(node);
      const cpuMs = (user + system) / 1_000 + (await backendCpuMs(url)) - backends;
      return { perSecond: (count * 1_000) / wallMs, cpuUs: (cpuMs * 1_000) / count };
    }

    const sealed = async (seal: (orgId: string) => Promise<void>) => {
      const orgId = await seedEntries(db, count);
      const sample = await measure(() => seal(orgId));
      await expectSealed(db, orgId, count);
      return sample;
    };
    try {
      const sealing = await pair({
        rounds: context.rounds(5),
        ours: () => sealed(() => auditService(db).sealAll()),
        peer: () => sealed((orgId) => sealBarely(db, orgId)),
      });
      const log = await readLog(db, await seedEntries(db, count));
      const verifying = await pair({
        rounds: context.rounds(5),
        ours: () => measure(() => verify(log)),
        peer: () => measure(() => verifyBarely(log.texts)),
      });
      return [
        atLeastLine(
          'entries sealed/s',
          pick(sealing, ({ perSecond }) => perSecond),
          goals.sealed,
        ),
        ratioLine(
          'Node + Postgres CPU us/entry sealed',
          pick(sealing, ({ cpuUs }) => cpuUs),
        ),
        atLeastLine(
          'entries verified/s',
          pick(verifying, ({ perSecond }) => perSecond),
          goals.verified,
        ),
      ];
    } finally {
      await db.destroy();
    }
  },
};

/** An org of its own with entries that wait: the log lets none be removed. Gives its id. */
async function seedEntries(db: Knex, count: number): Promise<string> {
  const orgId = newId();
  await db.raw(`insert into orgs (id, name, status) values (?, 'bench', 'approved')`, [orgId]);
  await db.raw(
    `insert into audit (org_id, id, at, actor_kind, actor_id, token_id, request_id, operation, object_kind, object_id, before, after)
     select ?, gen_random_uuid(), now() + n * interval '1 ms', 'user', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'updateRobot',
            'robot', gen_random_uuid(), jsonb_build_object('name', 'picker ' || n),
            jsonb_build_object('name', 'picker ' || n || ' “north”', 'labels', jsonb_build_object('line', n % 7, 'rev', 'b'))
       from generate_series(1, ?::int) n`,
    [orgId, count],
  );
  await db.raw('analyze audit');
  return orgId;
}

/** @throws Error if an entry has no number or no hash: what was timed would be something else */
async function expectSealed(db: Knex, orgId: string, count: number): Promise<void> {
  const { rows } = await db.raw<{ rows: [{ done: number }] }>(
    'select count(*)::int as done from audit where org_id = ? and hash is not null and seq <= ?',
    [orgId, count],
  );
  if (rows[0].done !== count) throw new Error(`${rows[0].done} of ${count} entries are sealed`);
}

/** The whole log of an org, each entry as the API writes it. */
async function readLog(db: Knex, orgId: string): Promise<{ orgId: string; texts: string[] }> {
  await auditService(db).sealAll();
  const texts: string[] = [];
  for (let page = maxEntries; page === maxEntries;) {
    const { objects } = await auditService(db).list(orgId, { after: texts.length });
    texts.push(...objects);
    page = objects.length;
  }
  return { orgId, texts };
}

/** @throws Error at the first entry that does not fit */
function verify({ orgId, texts }: { orgId: string; texts: readonly string[] }): void {
  const chain = chainFrom({ seq: 0, hash: startOf(orgId) });
  for (const text of texts) {
    const fault = chain.take(JSON.parse(text) as AuditEntry);
    if (fault !== undefined) throw new Error(fault);
  }
}
