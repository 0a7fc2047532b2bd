import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { quotaHeaders } from '../platform/http/reply/quota-headers.ts';
import { fileHeaders } from '../platform/http/reply/reply.ts';
import type { ArtifactService, UploadProgress } from './service.ts';

export const artifactHandlers = (artifacts: (db: Knex) => ArtifactService) =>
  ({
    async getArtifact({ caller, db, params: { sha256 }, leaveSlot }) {
      const key = { orgId: caller.orgId, sha256 };
      const { size, received, complete } = await artifacts(db).look(key, leaveSlot);
      return complete
        ? { status: 200, headers: { ...fileHeaders(sha256), 'Content-Length': String(size) } }
        : { status: 204, headers: { 'Upload-Offset': String(received) } };
    },

    async downloadArtifact({ caller, db, params: { sha256 }, leaveSlot }) {
      return { status: 200, file: await artifacts(db).open({ orgId: caller.orgId, sha256 }, leaveSlot) };
    },

    async uploadArtifact({ caller: { orgId }, db, params: { sha256 }, body }) {
      const holding = await artifacts(db).receive({ orgId, sha256 }, body);
      return async (transaction) => {
        const room = holding.complete
          ? await artifacts(transaction).record({ orgId, sha256 }, holding.size)
          : undefined;
        const wire = toWire(sha256, holding);
        return {
          status: 200,
          headers: quotaHeaders(room),
          body: { data: wire },
          audit: { orgId, objectKind: 'artifact', objectId: sha256, after: wire },
        };
      };
    },
  }) satisfies Pick<Handlers, 'getArtifact' | 'downloadArtifact' | 'uploadArtifact'>;

const toWire = (sha256: string, { size, received, complete }: UploadProgress): components['schemas']['Artifact'] => ({
  artifact_sha256: sha256,
  artifact_size: size,
  received,
  complete,
});
