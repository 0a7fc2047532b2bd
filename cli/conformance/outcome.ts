/** What became of one check. */
export interface Outcome {
  check: string;
  rule: string;
  result: 'ok' | 'failed' | 'skipped';
  /** Why it failed or was skipped, with what came. */
  why?: string;
  /** Skipped with all that come after it, for the same reason. Default: it is not. */
  isUntried?: true;
  seconds: number;
}
