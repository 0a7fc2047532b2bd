import type { Row } from '../harness/row.ts';
import { listRobotsRow } from './h1-list-robots.ts';
import { createSiteRow } from './h2-create-site.ts';
import { contractSizeRow } from './h3-contract-size.ts';
import { startRow } from './h4-start.ts';
import { idleLinksRow } from './l1-idle-links.ts';
import { heartbeatsRow } from './l2-heartbeats.ts';
import { logLinesRow } from './g1-log-lines.ts';
import { logReadingRow } from './g2-log-reading.ts';
import { linkedLogsRow } from './g3-linked-logs.ts';
import { logRetentionRow } from './g4-log-retention.ts';
import { logObjectsRow } from './g5-log-objects.ts';
import { metricsRow } from './m1-metrics.ts';
import { conditionsRow } from './k1-conditions.ts';
import { filteredListsRow } from './k2-filtered-lists.ts';
import { heartbeatStorageRow } from './l3-heartbeat-storage.ts';
import { comingBackRow } from './l4-coming-back.ts';
import { stalledReadersRow } from './r1-stalled-readers.ts';
import { idleFleetRow } from './r2-idle-fleet.ts';
import { agentRow } from './r3-agent.ts';
import { deliveryRow } from './r4-delivery.ts';
import { fleetTargetsRow } from './d1-fleet-targets.ts';
import { reportsRow } from './d2-reports.ts';
import { wavesRow } from './d3-waves.ts';
import { plansRow } from './d4-plans.ts';
import { dueDeploymentsRow } from './d5-due-deployments.ts';
import { sealingRow } from './e1-sealing.ts';
import { overloadRow } from './o1-overload.ts';
import { artifactsRow } from './a1-artifacts.ts';
import { keystrokesRow } from './s1-keystrokes.ts';
import { bulkRow } from './s2-bulk.ts';
import { cameraRow } from './s3-camera.ts';
import { crowdedKeystrokesRow } from './s4-keystrokes.ts';
import { clientStartRow } from './c1-client-start.ts';
import { clientFirstByteRow } from './c2-client-first-byte.ts';
import { firstFrameRow } from './c3-first-frame.ts';
import { framesRow } from './u1-frames.ts';
import { hintsRow } from './b1-hints.ts';
import { replicaDeliveryRow } from './d6-delivery.ts';
import { revocationsRow } from './t1-revocations.ts';
import { shellsAcrossRow } from './s5-shells-across.ts';
import { replicasRow } from './l5-replicas.ts';
import { changesRow } from './b2-changes.ts';

/** Every row of the bench, in the order it is run. A later part of the product adds its rows here. */
export const rows: readonly Row[] = [
  listRobotsRow,
  createSiteRow,
  contractSizeRow,
  startRow,
  logLinesRow,
  logReadingRow,
  linkedLogsRow,
  logRetentionRow,
  logObjectsRow,
  stalledReadersRow,
  idleLinksRow,
  heartbeatsRow,
  heartbeatStorageRow,
  metricsRow,
  conditionsRow,
  filteredListsRow,
  comingBackRow,
  replicasRow,
  idleFleetRow,
  agentRow,
  deliveryRow,
  fleetTargetsRow,
  reportsRow,
  wavesRow,
  plansRow,
  dueDeploymentsRow,
  replicaDeliveryRow,
  sealingRow,
  overloadRow,
  artifactsRow,
  keystrokesRow,
  bulkRow,
  cameraRow,
  crowdedKeystrokesRow,
  shellsAcrossRow,
  clientStartRow,
  clientFirstByteRow,
  firstFrameRow,
  framesRow,
  hintsRow,
  changesRow,
  revocationsRow,
];
