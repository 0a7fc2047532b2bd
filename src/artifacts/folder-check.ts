import { waitForEarlier, type EarlierWait } from '../platform/cluster/earlier-replicas.ts';
import { ArtifactStoreError } from './store-error.ts';

/** A replica that was alive before this one. `artifactsFolder` is undefined if it runs an earlier release. */
interface EarlierReplica {
  artifactsFolder: string | undefined;
}

interface FolderCheck extends Pick<EarlierWait<EarlierReplica>, 'findEarlier' | 'waitMs'> {
  folder: string; // its ID
  shared: boolean; // SERVICE_ARTIFACTS_SHARED
  onWait(message: string): void;
}

/**
 * Resolves once no other live replica stores artifacts elsewhere, as after a crash of this replica.
 * @throws ArtifactStoreError if such a replica stays alive
 */
export const checkFolder = ({ folder, shared, findEarlier, onWait, waitMs }: FolderCheck): Promise<void> =>
  waitForEarlier({
    findEarlier,
    waitMs,
    // An earlier release writes no ID. The setting that the folder is shared is trusted then.
    isInConflict: ({ artifactsFolder }) => (artifactsFolder === undefined ? !shared : artifactsFolder !== folder),
    onWait: () =>
      onWait(`another replica stores artifacts elsewhere: waiting at most ${waitMs / 1_000} s until its lease ends`),
    refusal: () => new ArtifactStoreError(shared ? notTheSame : notShared),
  });

const notShared =
  'another replica is alive, and the artifacts of this one are on a local disk: set S3_BUCKET, or SERVICE_ARTIFACTS_SHARED=1 with one artifacts folder that all replicas share';
const notTheSame =
  'SERVICE_ARTIFACTS_SHARED=1 is set, but another live replica has a different artifacts folder: set SERVICE_DATA_DIR to the folder that all replicas share';
