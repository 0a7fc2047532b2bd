import type { Knex } from 'knex';
import type { BlobStore } from '../artifacts/service.ts';
import { objectErasing } from '../logs/service.ts';
import type { ObjectStore } from '../platform/s3/object-store.ts';
import { tablesOfOrg } from './model.ts';
import type { PassResult } from './robot-pass.ts';
import { rowRemover } from './row-remover.ts';
import { erasureStore } from './store.ts';

const artifactsAtATime = 100;

interface OrgPass {
  id: string; // of the erasure
  orgId: string;
  objects: ObjectStore | undefined;
  blobs: BlobStore;
}

/** Removes what can be removed now of a suspended org. @throws Unavailable */
export async function eraseOrgOnce(db: Knex, { id, orgId, objects, blobs }: OrgPass): Promise<PassResult> {
  const [store, rows] = [erasureStore(db), rowRemover(db, id)];
  // A request that began before the erasure, or a replica of the previous release, may have resumed it.
  if (await store.postponeIfApproved(id)) return { removed: 0, waitsFor: ['the org is approved: suspend it'] };
  if (await store.isSettling(id)) return { removed: 0, waitsFor: ['replicas write what they received before'] };
  if (await store.hasLink(orgId, undefined)) return { removed: 0, waitsFor: ['the links of its robots'] };
  let removed = 0;

  for (const sha256 of await store.unrecordedArtifacts(orgId)) await blobs.remove({ orgId, sha256 });
  for (let sums = await store.artifactsOf(orgId, artifactsAtATime); sums.length > 0;) {
    for (const sha256 of sums) await blobs.remove({ orgId, sha256 });
    const forgotten = await store.forgetArtifacts(orgId, sums);
    await rows.note('artifacts', forgotten);
    removed += forgotten;
    sums = await store.artifactsOf(orgId, artifactsAtATime);
  }

  const { isDone, replaced } = await objectErasing(db, objects).eraseOrg(orgId);
  if (replaced > 0) await rows.note('log_objects', replaced);
  removed += replaced;

  for (const table of tablesOfOrg) removed += await rows.remove(table, 'org_id = :orgId', { orgId });
  const users = await store.removePeople(orgId);
  if (users > 0) await rows.note('users', users);
  removed += users;
  if (!isDone) return { removed, waitsFor: ['log objects are removed from the bucket'] };
  if (await store.removeOrg(orgId)) removed += 1;
  return { removed, waitsFor: [] };
}
