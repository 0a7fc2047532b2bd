import type { Knex } from 'knex';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { isSameArtifact, type Release, type NewRelease } from './model.ts';
import { releaseStore } from './store.ts';

export type { Release };

export type ReleaseService = ReturnType<typeof releaseService>;

export function releaseService(db: Knex) {
  const releases = releaseStore(db);

  /** Until the transaction ends, it is neither archived nor restored. @throws not_found */
  async function get(orgId: string, id: string): Promise<Release> {
    const release = await releases.hold(orgId, id);
    if (!release) throw notFound('release');
    return release;
  }

  return {
    get,
    list: releases.list,

    /**
     * Returns the requested release. `isNew` is false if it existed with the same artifact; its notes are then those of
     * the first request.
     * @throws conflict if the tag of this kind names another artifact, bad_request for only one of signature and key ID
     */
    async create(orgId: string, newRelease: NewRelease): Promise<{ release: Release; isNew: boolean }> {
      if ((newRelease.signature === undefined) !== (newRelease.keyId === undefined))
        throw badRequest('body: signature and key_id must be sent together');
      const made = await releases.create(orgId, newRelease);
      if (made) return { release: made, isNew: true };
      const known = await releases.findByTag(orgId, newRelease);
      if (!known || !isSameArtifact(known, newRelease)) {
        const what = known?.archivedAt ? 'an archived release' : 'a release';
        throw conflict(`the org has ${what} "${newRelease.tag}" of kind ${newRelease.kind} with another artifact`);
      }
      return { release: known, isNew: false };
    },

    /**
     * A release to deploy. Until the transaction ends, it is not archived.
     * @throws not_found, conflict for an archived release
     */
    async getDeployable(orgId: string, id: string): Promise<Release> {
      const release = await get(orgId, id);
      if (release.archivedAt)
        throw conflict(`the release "${release.tag}" is archived; set "archived": false on it to deploy it`);
      return release;
    },

    /** Archives a release or makes it available again. @throws not_found */
    async setArchived(orgId: string, id: string, isArchived: boolean): Promise<{ before: Release; after: Release }> {
      const outcome = await releases.setArchived(orgId, id, isArchived);
      if (!outcome) throw notFound('release');
      return outcome;
    },
  };
}
