import { setTimeout as sleep } from 'node:timers/promises';
import { ArtifactStoreError } from './store-error.ts';

/** A replica that was alive before this one. `artifactsFolder` is undefined if it runs an earlier release. */
interface EarlierReplica {
  artifactsFolder: string | undefined;
}

interface FolderCheck {
  folder: string; // its ID
  shared: boolean; // SERVICE_ARTIFACTS_SHARED
  findEarlier(): Promise<readonly EarlierReplica[]>;
  onWait(message: string): void;
  waitMs: number; // longer than a lease, so that only replicas that renew their lease are left
  lookEveryMs?: number; // default 250 ms
}

/**
 * Resolves once no other live replica stores artifacts elsewhere. It resolves at once if there is none, or if all use
 * the same folder, as after a crash of this replica. A lease outlives its process by 15 s, so this waits for its end.
 * @throws ArtifactStoreError if such a replica stays alive
 */
export async function checkFolder(check: FolderCheck): Promise<void> {
  const { folder, shared, findEarlier, onWait, waitMs, lookEveryMs = 250 } = check;
  // An earlier release writes no ID. The setting that the folder is shared is trusted then.
  const isElsewhere = ({ artifactsFolder }: EarlierReplica) =>
    artifactsFolder === undefined ? !shared : artifactsFolder !== folder;
  for (let waitedMs = 0; (await findEarlier()).some(isElsewhere); waitedMs += lookEveryMs) {
    if (waitedMs >= waitMs) throw new ArtifactStoreError(shared ? notTheSame : notShared);
    if (waitedMs === 0)
      onWait(`another replica stores artifacts elsewhere: waiting at most ${waitMs / 1_000} s until its lease ends`);
    await sleep(lookEveryMs);
  }
}

const notShared =
  'another replica is alive, and the artifacts of this one are on a local disk: set S3_BUCKET, or SERVICE_ARTIFACTS_SHARED=1 with one artifacts folder that all replicas share';
const notTheSame =
  'SERVICE_ARTIFACTS_SHARED=1 is set, but another live replica has a different artifacts folder: set SERVICE_DATA_DIR to the folder that all replicas share';
