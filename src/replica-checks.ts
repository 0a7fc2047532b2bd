import type { linkService } from './agent-links/service.ts';
import { checkFolder, type ArtifactStorage } from './artifacts/service.ts';
import { ConfigError, type Config } from './config.ts';
import { waitForEarlier } from './platform/cluster/earlier-replicas.ts';
import { doShare, secretMarks } from './platform/cluster/secret-marks.ts';

interface ReplicaChecks {
  config: Config;
  artifacts: ArtifactStorage;
  links: Pick<ReturnType<typeof linkService>, 'findEarlier' | 'lapseMs'>;
  warn(message: string): void;
}

/**
 * Whether this replica can run beside those that are alive. Call it with a lease: of two replicas that start at once, each sees
 * the other, and the one that began later waits.
 * @throws ArtifactStoreError, ConfigError
 */
export async function checkReplicas({ config, artifacts, links, warn }: ReplicaChecks): Promise<void> {
  const { findEarlier, lapseMs: waitMs } = links;
  if (!config.s3)
    await checkFolder({
      findEarlier,
      waitMs,
      folder: artifacts.folder,
      shared: config.artifactsShared,
      onWait: warn,
    });
  const marks = secretMarks(config.cluster?.secrets ?? []);
  await waitForEarlier({
    findEarlier,
    waitMs,
    isInConflict: ({ secretMarks: others }) => marks.length > 0 && others !== undefined && !doShare(marks, others),
    onWait: () =>
      warn(
        `another replica has another SERVICE_CLUSTER_SECRET: waiting at most ${waitMs / 1_000} s until its lease ends`,
      ),
    refusal: () =>
      new ConfigError(
        'another live replica has another SERVICE_CLUSTER_SECRET: give all the same; to change it, first give each both, separated by a comma',
      ),
  });
}
