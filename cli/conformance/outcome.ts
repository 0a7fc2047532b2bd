/** The result of one check. */
export interface Outcome {
  check: string;
  rule: string;
  result: 'ok' | 'failed' | 'skipped';
  /** Why it failed or was skipped, with what was received. */
  why?: string;
  /** Skipped with all later checks, for the same reason. Default: it is not. */
  isUntried?: true;
  seconds: number;
}
