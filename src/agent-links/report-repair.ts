import { agentFrames } from '../../generated/frames.js';
import { limits } from '../../generated/protocol.js';

/** Entries of `holding` and reports that broke the schema, by outcome. */
export interface Repairs {
  repaired: number; // read after faulty fields were cut, rounded or left out
  ignored: number; // unreadable entries of `holding`
}

type Fields = Record<string, unknown>;

// Limits of OrderState in spec/frames.yaml, in characters.
const maxStatusLength = 32;
const maxReasonLength = 64;
const maxProgressTextLength = 200;
const maxHolderLength = 32;

/**
 * Reads a robot's order reports despite faulty fields. Agents keep reports on disk and send them until they are
 * acknowledged. A fault that ended the link would also end every later link, and lock the robot out. Changes `frame`, a
 * `hello` or a `report` that broke its schema.
 */
export function repairReports(frame: Fields): Repairs {
  if (frame['type'] === 'report') {
    const report = repairOne(frame);
    if (!report) return { repaired: 0, ignored: 0 }; // the validator reports what is wrong with it
    Object.assign(frame, report);
    return { repaired: 1, ignored: 0 };
  }
  const { holding } = frame;
  if (frame['type'] !== 'hello' || holding === undefined) return { repaired: 0, ignored: 0 };
  const sent: unknown[] = Array.isArray(holding) ? holding : [holding];
  const whole = sent.filter(isWhole);
  const states = sent.flatMap((each) => (isWhole(each) ? each : (repairOne(each) ?? []))).slice(0, limits.maxOrders);
  frame['holding'] = states;
  const kept = new Set<unknown>(states);
  const untouched = whole.filter((each) => kept.has(each)).length;
  return { repaired: states.length - untouched, ignored: sent.length - states.length };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (state: unknown): boolean => isObject(state) && agentFrames.report({ ...state, type: 'report' });

/** Undefined if it is unclear which order it is of, or what it reports. */
function repairOne(sent: unknown): Fields | undefined {
  if (!isObject(sent) || typeof sent['status'] !== 'string') return undefined;
  const { status, reason, message, digest, progress, report_seq: reportSeq, steps } = sent;
  const repaired = {
    ...sent,
    status: status.slice(0, maxStatusLength),
    reason: typeof reason === 'string' ? reason.slice(0, maxReasonLength) : undefined,
    message: typeof message === 'string' ? message : undefined,
    digest,
    progress: repairProgress(progress),
    report_seq: reportSeq,
    steps,
  };
  for (const name of ['digest', 'report_seq', 'steps'] as const)
    if (!isWhole({ order_id: 'any', status: 'any', [name]: repaired[name] })) repaired[name] = undefined;
  return isWhole(repaired) ? repaired : undefined;
}

function repairProgress(progress: unknown): Fields | undefined {
  if (!isObject(progress) || typeof progress['percent'] !== 'number') return undefined;
  const { percent, text, waiting_on: wait } = progress;
  return {
    percent: Math.min(100, Math.max(0, Math.round(percent))),
    text: typeof text === 'string' ? text.slice(0, maxProgressTextLength) : undefined,
    waiting_on: repairWait(wait),
  };
}

function repairWait(wait: unknown): Fields | undefined {
  if (!isObject(wait) || typeof wait['holder'] !== 'string' || wait['holder'] === '') return undefined;
  const { holder, reason } = wait;
  const known = typeof reason === 'string' && reason !== '' ? reason : 'unknown';
  return { holder: holder.slice(0, maxHolderLength), reason: known.slice(0, maxProgressTextLength) };
}
