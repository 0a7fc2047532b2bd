import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deploymentMoves, targetMoves } from '../../../generated/protocol.js';
import { startIsolatedDeploymentWorld } from './support.ts';

test('Postgres takes exactly the moves of the table, of targets and of deployments, and no status that is none', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const release = await it.release();
  const deployment = await it.deploy(
    { releaseId: release.id },
    { fleet: it.fleetId },
    { scheduled_at: '2027-01-01T00:00:00Z' },
  );
  const robotId = randomUUID();
  const target = { org_id: it.world.orgId, deployment_id: deployment, robot_id: robotId };
  const place = { ...target, lane: 'release:file', payload_key: 'release:file', rank: 1 };
  const tables = [
    { name: 'targets', moves: targetMoves, where: target },
    { name: 'deployments', moves: deploymentMoves, where: { id: deployment } },
  ] as const;
  await db('targets').insert({ ...place, deadline_at: new Date() });
  await db.raw('alter table targets drop constraint targets_check'); // the deadline is not what is looked at
  const taken: string[] = [];
  for (const { name, moves, where } of tables)
    for (const from of Object.keys(moves))
      for (const to of [...Object.keys(moves), 'sleeping']) {
        await db.raw(`alter table ${name} disable trigger user`);
        await db(name).where(where).update({ status: from });
        await db.raw(`alter table ${name} enable trigger user`);
        const outcome = await db(name)
          .where(where)
          .update({ status: to })
          .then(
            () => 'taken',
            (error: unknown) => (error as { code: string }).code,
          );
        expect(['taken', '23514']).toContain(outcome);
        if (outcome === 'taken' && from !== to) taken.push(`${name}: ${from} → ${to}`);
      }
  const legal = tables.flatMap(({ name, moves }) =>
    Object.entries<readonly string[]>(moves).flatMap(([from, all]) => all.map((to) => `${name}: ${from} → ${to}`)),
  );
  expect(taken.sort()).toEqual(legal.sort());
  await db('deployments').delete();
});
