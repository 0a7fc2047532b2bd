import { setTimeout as sleep } from 'node:timers/promises';
import { ArtifactStoreError } from './store-error.ts';

/** A replica that was alive before this one; `artifactsFolder` is undefined where it is of an earlier release. */
interface EarlierReplica {
  artifactsFolder: string | undefined;
}

interface FolderCheck {
  folder: string; // its ID
  shared: boolean; // SERVICE_ARTIFACTS_SHARED
  findEarlier(): Promise<readonly EarlierReplica[]>;
  onWait(message: string): void;
  waitMs: number; // longer than a lease, so that only a replica that renews its lease is left
  lookEveryMs?: number; // default 250 ms
}

/**
 * Resolves once no other replica that is alive keeps artifacts elsewhere: at once where there is none, or where all have the same folder, as after a
 * crash of this one. A lease outlives its process by 15 s, so others are waited for.
 * @throws ArtifactStoreError for one that stays
 */
export async function checkFolder(check: FolderCheck): Promise<void> {
  const { folder, shared, findEarlier, onWait, waitMs, lookEveryMs = 250 } = check;
  // An earlier release writes no ID: the setting that the folder is shared is trusted.
  const isElsewhere = ({ artifactsFolder }: EarlierReplica) =>
    artifactsFolder === undefined ? !shared : artifactsFolder !== folder;
  for (let waitedMs = 0; (await findEarlier()).some(isElsewhere); waitedMs += lookEveryMs) {
    if (waitedMs >= waitMs) throw new ArtifactStoreError(shared ? notTheSame : notShared);
    if (waitedMs === 0)
      onWait(`another replica keeps artifacts elsewhere: waiting at most ${waitMs / 1_000} s until its lease ends`);
    await sleep(lookEveryMs);
  }
}

const notShared =
  'another replica is alive, and the artifacts of this one are on a local disk: set S3_BUCKET, or SERVICE_ARTIFACTS_SHARED=1 with one artifacts folder that all replicas share';
const notTheSame =
  'SERVICE_ARTIFACTS_SHARED=1 is set, but another replica that is alive has another artifacts folder: set SERVICE_DATA_DIR to the folder that all replicas share';
