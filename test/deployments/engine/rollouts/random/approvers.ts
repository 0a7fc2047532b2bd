import type { Knex } from 'knex';
import { factories } from '../../../../support/factories.ts';
import type { World } from '../../../../support/world.ts';

/** The people of an org with their tokens. Any of them decides on what waits for approval, whether they may or not. */
export async function startApprovers(db: Knex, world: World) {
  const make = factories(world);
  const tokens: (string | undefined)[] = [
    undefined, // of the org
    await make.userToken('viewer', 'vera@example.com'),
    await make.userToken('operator', 'otto@example.com'),
    await make.userToken('operator', 'olga@example.com'),
    await make.userToken('admin', 'ada@example.com'),
    await make.userToken('admin', 'abel@example.com'),
  ];
  const waiting = async (): Promise<{ id: string; wave: number; hash: string }[]> =>
    db('deployments')
      .where({ status: 'paused' })
      .whereNotNull('approval_wave')
      .select('id', 'approval_wave as wave', 'approval_hash as hash')
      .orderBy('id');
  const send = (decision: string, { id, wave, hash }: { id: string; wave: number; hash: string }, token?: string) =>
    world.call('POST', `/api/deployments/${id}/approvals`, { token, body: { decision, plan_hash: hash, wave } });

  return {
    /** Who may create deployments. */
    authors: tokens.filter((_token, index) => index !== 1),
    /** Some of them decide on one deployment, one after the other. */
    async decide(decision: 'approve' | 'reject', pick: <T>(items: readonly T[]) => T | undefined) {
      const one = pick(await waiting());
      if (!one) return undefined;
      const said: number[] = [];
      for (let people = pick([1, 2, 3]) ?? 1; people > 0; people -= 1)
        said.push((await send(decision, one, pick(tokens))).status);
      return `${one.id}, wave ${one.wave}: ${said.join(', ')}`;
    },
    /** All of them approve everything. */
    async approveAll(): Promise<void> {
      for (const one of await waiting()) for (const token of tokens) await send('approve', one, token);
    },
  };
}
