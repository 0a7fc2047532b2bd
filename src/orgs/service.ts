import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { tokenService } from '../tokens/service.ts';
import { moves, type Move, type Org } from './model.ts';
import { orgStore } from './store.ts';

export type OrgService = ReturnType<typeof orgService>;

export function orgService(db: Knex) {
  const orgs = orgStore(db);

  /** @throws not_found */
  async function get(id: string): Promise<Org> {
    const org = await orgs.find(id);
    if (!org) throw notFound('org');
    return org;
  }

  /** Returns the org before and after. @throws not_found, conflict if the org does not have the required status */
  async function move(id: string, name: Move): Promise<{ before: Org; after: Org }> {
    const before = await get(id);
    // The update itself checks the initial status: of two concurrent calls, one succeeds and the other gets a conflict.
    const after = await orgs.move(before.id, moves[name]);
    if (!after && (await orgs.isErasing(id))) throw conflict('the data of the org is being erased');
    if (!after) throw conflict(`the org is ${(await get(id)).status}; ${name} needs ${moves[name].from}`);
    return { before, after };
  }

  /**
   * Approves a pending org and issues its bootstrap token; an approved org without a valid one gets another.
   * @throws not_found, conflict
   */
  async function approve(id: string): Promise<{ before: Org; after: Org; token: string }> {
    const org = await get(id);
    const isLockedOut = org.status === 'approved' && !(await tokenService(db).hasOrgToken(org.id));
    const moved = isLockedOut ? { before: org, after: org } : await move(id, 'approve');
    const { value } = await tokenService(db).issue(id, { kind: 'org' }, { label: 'bootstrap' });
    return { ...moved, token: value };
  }

  return {
    get,
    approve,
    create: orgs.create,
    list: orgs.list,
    count: orgs.count,
    suspend: (id: string) => move(id, 'suspend'),
    resume: (id: string) => move(id, 'resume'),

    /** Changes settings; undefined keeps the current value. @throws not_found */
    async update(
      id: string,
      { recordShells }: { recordShells: boolean | undefined },
    ): Promise<{ before: Org; after: Org }> {
      const before = await get(id);
      const after = recordShells === undefined ? before : await orgs.setRecordShells(before.id, recordShells);
      if (!after) throw notFound('org');
      return { before, after };
    },

    /** Issues an additional org token, to replace a lost one. @throws not_found, conflict unless the org is approved */
    async issueToken(id: string, label: string | undefined) {
      const org = await get(id);
      if (org.status !== 'approved') throw conflict(`the org is ${org.status}; a token needs approved`);
      return tokenService(db).issue(org.id, { kind: 'org' }, { label });
    },

    /** Creates the approved org `local` if there is no org, and returns its id and token; else returns undefined. */
    async createFirst(): Promise<{ orgId: string; token: string } | undefined> {
      if (!(await orgs.isEmpty())) return undefined;
      const org = await orgs.create('local');
      return { orgId: org.id, token: (await approve(org.id)).token };
    },
  };
}
