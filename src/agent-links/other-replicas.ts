import type { Replica, ReplicaFacts } from './model.ts';

/**
 * Distinguishes live replicas from leases that outlive their process by up to 15 s. Returns replicas that renewed their
 * lease since they were first seen. Call it with all others at each renewal.
 */
export function livingReplicas(): (others: readonly Replica[]) => Replica[] {
  let firstSeen = new Map<string, Date>();
  return (others) => {
    firstSeen = new Map(others.map(({ id, leaseUntil }) => [id, firstSeen.get(id) ?? leaseUntil]));
    return others.filter(({ id, leaseUntil, isDead }) => !isDead && leaseUntil > (firstSeen.get(id) ?? leaseUntil));
  };
}

export interface OwnReplica extends Pick<ReplicaFacts, 'url' | 'artifactsFolder'> {
  artifactsShared: boolean;
}

/** Missing settings that several replicas need, one sentence each; none if no other replica is alive. */
export function clusterWarnings(own: OwnReplica, others: readonly Pick<Replica, 'artifactsFolder'>[]): string[] {
  if (others.length === 0) return [];
  const warnings: string[] = [];
  if (own.url === undefined)
    warnings.push(
      'another replica is alive, but SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET are not set: shells, cameras and topics fail if the viewer and the robot are connected to different replicas',
    );
  if (others.some(({ artifactsFolder }) => artifactsFolder !== undefined && artifactsFolder !== own.artifactsFolder))
    warnings.push('another replica stores its artifacts elsewhere: robots get 404 for stored artifacts');
  else if (!own.artifactsShared)
    warnings.push(
      'another replica is alive, but neither S3_BUCKET nor SERVICE_ARTIFACTS_SHARED is set: artifacts are on a local disk',
    );
  return warnings;
}
