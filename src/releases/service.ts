import type { Knex } from 'knex';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { isSameArtifact, type Release, type ReleaseWish } from './model.ts';
import { releaseStore } from './store.ts';

export type { Release };

export type ReleaseService = ReturnType<typeof releaseService>;

export function releaseService(db: Knex) {
  const releases = releaseStore(db);
  return {
    list: releases.list,

    /**
     * The release that was asked for; `isNew` is false where it was there already, of the same artifact. Its notes are those of the first time.
     * @throws conflict where the tag of this kind names another artifact, bad_request for half a signature
     */
    async create(orgId: string, wish: ReleaseWish): Promise<{ release: Release; isNew: boolean }> {
      if ((wish.signature === undefined) !== (wish.keyId === undefined))
        throw badRequest('body: signature and key_id go together');
      const made = await releases.create(orgId, wish);
      if (made) return { release: made, isNew: true };
      const known = await releases.findByTag(orgId, wish);
      if (!known || !isSameArtifact(known, wish))
        throw conflict(`the org has a release "${wish.tag}" of kind ${wish.kind} with another artifact`);
      return { release: known, isNew: false };
    },

    /** @throws not_found */
    async get(orgId: string, id: string): Promise<Release> {
      const release = await releases.find(orgId, id);
      if (!release) throw notFound('release');
      return release;
    },
  };
}
