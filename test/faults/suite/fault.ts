import type { Random } from '../../support/random.ts';
import type { FaultService, ServiceOptions } from './service.ts';

/** What a fault may use. */
export interface Scene {
  service: FaultService;
  random: Random;
  /** Waits so long: shorter in the short form. */
  wait(seconds: number): Promise<void>;
}

/** A fault, what it breaks and what it may cost. */
export interface Fault {
  name: string;
  /** What callers may rely on, as a sentence for the page. */
  promise: string;
  /** Tests of the same fault, below `test/`. */
  tests?: readonly string[];
  /** Default: three replicas with one Postgres, NATS and an S3 store. Faults with the same options share a service. */
  service?: ServiceOptions;
  /** Whether it is part of the short form. */
  isShort?: boolean;
  /** Breaks something, and resolves once it is repaired. */
  inflict(scene: Scene): Promise<void>;
  limits: {
    /** From the first failed call to the first success after the last one. */
    disturbedSeconds: number;
    /** How long a revoked token may work. Default: with NATS, on reachable replicas. */
    revokedSeconds?: number;
  };
}

export const usualRevokedSeconds = 2;

/** Of faults that no other test has: the test of those with `isShort`. */
export const shortForm: readonly string[] = ['faults/suite.process.test.ts'];
