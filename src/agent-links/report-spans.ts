import type { OrderState } from '../../generated/frames.js';
import type { Tracing } from '../platform/tracing.ts';

/** A report that changed a deployment with a trace. */
interface TracedReport {
  robotId: string;
  state: OrderState;
  traceContext: string; // of the deployment
  receivedAt: Date;
}

/**
 * Adds a report to the trace of its deployment: from its frame to its commit. Steps that the agent measured are spans below
 * that of the order, by the clock of the robot. Texts of the robot are left out, except names of the form of a step.
 */
export function recordReport(tracing: Tracing, { robotId, state, traceContext, receivedAt }: TracedReport): void {
  const { order_id: orderId, status, reason, steps = [] } = state;
  const place = { 'fleet.order.id': orderId, 'fleet.robot.id': robotId };
  const spans = steps.flatMap(({ step, started_at: started, duration_ms: ms, failed = false }) => {
    const [startedAt, endedAt] = [new Date(started), new Date(Date.parse(started) + ms)];
    return isNaN(endedAt.getTime()) ? [] : [{ step, startedAt, endedAt, failed }];
  });
  let parent = traceContext;
  const [first] = spans;
  if (first) {
    const endedAt = new Date(Math.max(...spans.map((each) => each.endedAt.getTime())));
    const order = { name: 'robot order', parent: traceContext, startedAt: first.startedAt, endedAt, attributes: place };
    const isApplied = status === 'applied';
    parent = tracing.record({ ...order, error: isApplied ? undefined : codeOf(reason ?? status) }) ?? traceContext;
  }
  for (const { step, startedAt, endedAt, failed } of spans)
    tracing.record({
      ...{ name: step, parent, startedAt, endedAt, attributes: place },
      error: failed ? codeOf(reason) : undefined,
    });
  const attributes = { ...place, 'fleet.order.status': status };
  tracing.record({ name: 'store report', parent, startedAt: receivedAt, endedAt: new Date(), attributes });
}

/** A reason that is none of the usual codes may be any text. */
const codeOf = (reason = 'failed'): string => (/^[a-z][a-z0-9_]*$/.test(reason) ? reason : 'failed');
