import type { Order } from '../../../generated/frames.js';
import { orderSteps } from '../../../generated/protocol.js';
import type { Failure } from '../orders/handler.ts';
import type { Profile } from './profile.ts';
import { between, seeded, type Random } from './random.ts';

/** How an order ends that is not applied; `silent`: it has no end, and only the service ends it. */
type ScriptedEnd = (Failure & { status: 'failed' | 'rolled_back' }) | 'silent';

/** How a simulated robot carries out one order. */
interface OrderScript {
  /** The statuses before its end. */
  steps: string[];
  /** Undefined if it is applied. */
  end: ScriptedEnd | undefined;
  /** The time that the next step takes. */
  stepMs(): number;
}

interface FailureKind {
  end: ScriptedEnd;
  steps(random: Random): string[];
}

/** What agents call the step that they carry out in a status. */
export const stepNames: Readonly<Record<string, string>> = {
  downloading: 'download',
  installing: 'install',
  verifying: 'verify',
  rolling_back: 'rollback',
};

const upTo = (count: number) => () => orderSteps.slice(0, count);

export const unableToStart = {
  status: 'rolled_back',
  reason: 'verify_failed',
  message: 'the new version exited with 1 within 3 s: cannot open /dev/lidar0',
} as const;

/** What goes wrong, as agents report it. Kinds that are added come last, so that a seed gives the same orders as before. */
const kinds = {
  fail_percent: {
    end: {
      status: 'failed',
      reason: 'install_failed',
      message: 'no space left on /data: 12 MiB are free, 38 MiB are required',
    },
    steps: (random) => orderSteps.slice(0, 1 + Math.floor(random() * 2)),
  },
  rollback_percent: { end: unableToStart, steps: () => [...orderSteps, 'rolling_back'] },
  reject_percent: {
    end: { status: 'failed', reason: 'no_handler', message: 'this robot has no handler for the order' },
    steps: upTo(1),
  },
  download_fail_percent: {
    end: {
      status: 'failed',
      reason: 'download_failed',
      message: 'the artifact could not be downloaded: the connection was reset after 41 MiB',
    },
    steps: upTo(1),
  },
  no_space_percent: {
    end: { status: 'failed', reason: 'no_space', message: '/data has no space for the artifact' },
    steps: upTo(1),
  },
  verify_fail_percent: {
    end: { status: 'failed', reason: 'verify_failed', message: 'health check: exited with 1 after 10 s' },
    steps: upTo(orderSteps.length),
  },
  timeout_percent: {
    end: 'silent',
    steps: (random) => orderSteps.slice(0, 1 + Math.floor(random() * orderSteps.length)),
  },
} satisfies Partial<Record<keyof Profile, FailureKind>>;

/** Keys of a profile that divide all orders among them. */
export const failureKeys = Object.keys(kinds) as (keyof typeof kinds)[];

/** From the number of the order alone: another run with the same seed plays it alike. */
export function scriptOf(profile: Profile, seed: string, { sequence }: Order): OrderScript {
  const random = seeded(`${seed}/orders/${sequence}`);
  let part = random() * 100;
  const stepMs = () => (between(random, 0.5, 1.5) * profile.order_seconds * 1000) / orderSteps.length;
  for (const key of failureKeys) {
    part -= profile[key];
    if (part < 0) return { end: kinds[key].end, steps: kinds[key].steps(random), stepMs };
  }
  return { end: undefined, steps: [...orderSteps], stepMs };
}
