import type { Knex } from 'knex';
import { conflict, type DomainError } from '../../kernel/errors.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { tokenService, type PersonOrProgram } from '../../tokens/service.ts';
import { countHeld, countRobotsWithOrders, findFreeze, freeze, thaw, type Freeze } from '../engine/controls/freeze.ts';

export type FreezeService = ReturnType<typeof freezeService>;

/** Fields have their wire names. */
interface FreezeView {
  frozen: boolean;
  frozen_at?: string;
  frozen_by?: string;
  reason?: string;
  held: number;
  robots_with_orders: number;
}

interface FreezeChange {
  before: FreezeView;
  after: FreezeView;
  announce: Hint[];
}

export function freezeService(db: Knex) {
  async function get(orgId: string): Promise<FreezeView> {
    const [found, held, robots] = await Promise.all([
      findFreeze(db, orgId),
      countHeld(db, orgId),
      countRobotsWithOrders(db, orgId),
    ]);
    return { frozen: found !== undefined, ...(found && fieldsOf(found)), held, robots_with_orders: robots };
  }

  return {
    get,

    /**
     * Freezes all deployments of the org. Repeating it with the same reason changes nothing; then `after` is `before`.
     * Returns the hints to announce. Runs in a transaction.
     */
    async set(caller: PersonOrProgram, reason: string): Promise<FreezeChange> {
      const { orgId } = caller;
      const before = await get(orgId);
      if (before.frozen && before.reason === reason) return { before, after: before, announce: [] };
      const announce = await freeze(db, { orgId, by: await tokenService(db).nameOf(caller), reason });
      return { before, after: await get(orgId), announce };
    },

    /** Ends the freeze. Without one it changes nothing; then `after` is `before`. Runs in a transaction. */
    async delete(orgId: string, reason: string | undefined): Promise<FreezeChange> {
      const before = await get(orgId);
      if (!before.frozen) return { before, after: before, announce: [] };
      const announce = await thaw(db, { orgId, reason });
      return { before, after: await get(orgId), announce };
    },
  };
}

const fieldsOf = ({ frozenAt, frozenBy, reason }: Freeze) => ({
  frozen_at: frozenAt.toISOString(),
  frozen_by: frozenBy,
  reason,
});

/** Why a deployment cannot be continued now. */
export const frozenConflict = ({ frozenAt, frozenBy, reason }: Freeze): DomainError =>
  conflict(`the org is frozen since ${frozenAt.toISOString()} by ${frozenBy}: ${JSON.stringify(reason)}; thaw first`);
