import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { Release, ReleaseService } from './service.ts';

/** How robots install a release that names no kind. */
const defaultKind = 'container_image';

export const releaseHandlers = (releases: (db: Knex) => ReleaseService) =>
  ({
    listReleases: ({ caller, db, query }) =>
      listReply(query, (page) =>
        releases(db).list(caller.orgId, { tag: query.tag, kind: query.kind, isArchived: query.archived }, page),
      ),

    async createRelease({ caller, db, body }) {
      const { release, isNew } = await releases(db).create(caller.orgId, {
        tag: body.tag,
        kind: body.kind ?? defaultKind,
        artifactSha256: body.artifact_sha256,
        artifactSize: body.artifact_size,
        notes: body.notes,
        signature: body.signature,
        keyId: body.key_id,
      });
      const wire = toWire(release);
      const audit = { orgId: caller.orgId, objectKind: 'release', objectId: release.id, after: wire };
      return isNew
        ? { status: 201, body: { data: wire }, audit }
        : { status: 200, body: { data: wire }, audit: { ...audit, before: wire } };
    },

    async updateRelease({ caller, db, params, body }) {
      const outcome = await releases(db).setArchived(caller.orgId, params.id, body.archived);
      const [before, after] = [toWire(outcome.before), toWire(outcome.after)];
      const facts = { orgId: caller.orgId, objectKind: 'release', objectId: after.id, before, after };
      return {
        status: 200,
        body: { data: after },
        audit: outcome.before === outcome.after ? ('unchanged' as const) : facts,
      };
    },
  }) satisfies Pick<Handlers, 'listReleases' | 'createRelease' | 'updateRelease'>;

const toWire = (release: Release): components['schemas']['Release'] => ({
  id: release.id,
  tag: release.tag,
  kind: release.kind,
  artifact_sha256: release.artifactSha256,
  artifact_size: release.artifactSize,
  artifact_stored: release.isArtifactStored,
  ...(release.notes === undefined ? {} : { notes: release.notes }),
  ...(release.signature === undefined ? {} : { signature: release.signature }),
  ...(release.keyId === undefined ? {} : { key_id: release.keyId }),
  created_at: release.createdAt.toISOString(),
  ...(release.archivedAt ? { archived_at: release.archivedAt.toISOString() } : {}),
});
