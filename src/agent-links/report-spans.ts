import type { OrderState } from '../../generated/frames.js';
import type { TraceOfReport } from '../deployments/api/service.ts';
import type { Tracing } from '../platform/tracing.ts';

/** A clock that is further off gives times that collectors reject, with all spans of the same export. */
const maxOffMs = 30 * 24 * 60 * 60 * 1_000;

/** A report that changed a deployment with a trace. */
interface TracedReport {
  robotId: string;
  state: OrderState;
  trace: TraceOfReport;
  receivedAt: Date;
}

/**
 * Adds a report to the trace of its deployment: from its frame to its commit. Steps that the agent measured are spans below
 * that of the order, by the clock of the robot. Those far from the arrival of the report are left out. Texts of the robot are left out, except names of the form of a step.
 */
export function recordReport(tracing: Tracing, { robotId, state, trace, receivedAt }: TracedReport): void {
  const { order_id: orderId, status, reason, steps = [] } = state;
  const place = { 'fleet.deployment.id': trace.deploymentId, 'fleet.order.id': orderId, 'fleet.robot.id': robotId };
  const isNear = (time: Date) => Math.abs(time.getTime() - receivedAt.getTime()) <= maxOffMs;
  const spans = steps.flatMap(({ step, started_at: started, duration_ms: ms, failed = false }) => {
    const [startedAt, endedAt] = [new Date(started), new Date(Date.parse(started) + ms)];
    return isNear(startedAt) && isNear(endedAt) ? [{ step, startedAt, endedAt, failed }] : [];
  });
  let parent = trace.context;
  const [first] = spans;
  if (first) {
    const endedAt = new Date(Math.max(...spans.map((each) => each.endedAt.getTime())));
    const order = { name: 'robot order', parent, startedAt: first.startedAt, endedAt, attributes: place };
    const isApplied = status === 'applied';
    parent = tracing.record({ ...order, error: isApplied ? undefined : codeOf(reason ?? status) }) ?? parent;
  }
  for (const { step, startedAt, endedAt, failed } of spans)
    tracing.record({
      name: step,
      parent,
      startedAt,
      endedAt,
      attributes: place,
      error: failed ? codeOf(reason) : undefined,
    });
  const attributes = { ...place, 'fleet.order.status': status };
  tracing.record({ name: 'store report', parent, startedAt: receivedAt, endedAt: new Date(), attributes });
}

/** A reason that is none of the usual codes may be any text. */
const codeOf = (reason = 'failed'): string => (/^[a-z][a-z0-9_]*$/.test(reason) ? reason : 'failed');
