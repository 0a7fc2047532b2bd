import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { carryOut } from '../../cli/agent/orders/carry-out.ts';
import { Stopped, type Handler, type Outcome, type OrderContext } from '../../cli/agent/orders/handler.ts';
import type { OrderRecord } from '../../cli/agent/orders/journal.ts';
import { releaseHandler, runningOf } from '../../cli/agent/releases/kinds.ts';
import type { ReleaseSettings } from '../../cli/agent/releases/release.ts';
import { sha256 } from './orders.ts';

/** A release being applied on a disk, without an order desk, so that a test can intervene between two steps. */
export interface ReleaseOrder {
  record: OrderRecord;
  task: OrderContext;
  handler(): Promise<Handler>;
  /** Carries it out; undefined if the agent ends first. */
  carry(): Promise<Outcome | undefined>;
  /** The same order after a restart of the agent, with the last saved record. */
  again(changes?: Partial<ReleaseSettings>): ReleaseOrder;
}

export interface ReleaseRobot {
  settings: ReleaseSettings;
  path(...parts: string[]): string;
  /** Log lines, with their source. */
  lines: string[];
  progress: string[];
  stopping: AbortController;
  /** An order for an artifact, which is put on the robot's disk. */
  order(kind: string, artifact: string | Buffer, tag?: string): Promise<ReleaseOrder>;
  running(kind: string): Promise<string | null | undefined>;
}

export function releaseRobot(folder: string, changes: Partial<ReleaseSettings> = {}): ReleaseRobot {
  const path = (...parts: string[]) => join(folder, ...parts);
  const settings: ReleaseSettings = {
    artifacts: path('artifacts'),
    folder: path('releases'),
    source: { backendUrl: 'http://127.0.0.1:9', token: 'none', socketOptions: {} },
    ...changes,
  };
  const robot: ReleaseRobot = {
    settings,
    path,
    lines: [],
    progress: [],
    stopping: new AbortController(),
    async order(kind, artifact, tag = 'v1') {
      await mkdir(settings.artifacts, { recursive: true });
      await writeFile(join(settings.artifacts, sha256(artifact)), artifact);
      const { length } = Buffer.from(artifact);
      const release = { id: randomUUID(), tag, kind, artifact_sha256: sha256(artifact), artifact_size: length };
      const order_id = randomUUID();
      const payload = JSON.stringify({ release });
      const order = { order_id, lane: `release:${kind}`, sequence: 1, deployments: ['d-1'], digest: sha256(payload) };
      const report = { order_id, status: 'downloading' };
      const record: OrderRecord = { order, step: 'download', attempt: 0, report, isAcknowledged: false, notes: {} };
      return orderOf(record, payload, settings);
    },
    running: (kind) => runningOf(settings, kind, robot.stopping.signal),
  };

  function orderOf(record: OrderRecord, payload: string, now: ReleaseSettings): ReleaseOrder {
    /** The record on disk. */
    let kept = structuredClone(record);
    const { signal } = robot.stopping;
    const task: OrderContext = {
      order: record.order,
      payload,
      directory: path('orders', `${record.order.order_id}.d`),
      notes: record.notes,
      save: async () => void (kept = structuredClone(record)),
      stopping: signal,
      interrupted: signal,
      progress: (percent, text = '') => void robot.progress.push(`${percent} ${text}`),
      say: (source, line) => void robot.lines.push(`${source}: ${line}`),
    };
    let made: Handler | undefined;
    const handler = async () => (made ??= await releaseHandler(now, record.order.lane.replace('release:', ''), task));
    return {
      record,
      task,
      handler,
      async carry() {
        const outcome = await carryOut({
          record,
          async enter(step, failure) {
            const attempt = record.step === step ? record.attempt + 1 : 1;
            Object.assign(record, { step, attempt, failure });
            kept = structuredClone(record);
          },
          handler,
          untilOpen: async () => undefined,
          cancelled: new AbortController().signal,
          stopping: signal,
        });
        if (outcome) await made?.cleanup?.().catch(() => undefined);
        return outcome;
      },
      again(changed = {}) {
        robot.stopping = new AbortController();
        return orderOf(structuredClone(kept), payload, { ...now, ...changed });
      },
    };
  }
  return robot;
}

/** Stops the robot's agent. */
export const stop = ({ stopping }: ReleaseRobot) => stopping.abort(new Stopped());
