import { execFileSync } from 'node:child_process';

/** Seconds since 1970 that all files have: of SOURCE_DATE_EPOCH or the commit, so that two builds have equal bytes. */
export const releaseEpoch = (): string =>
  process.env['SOURCE_DATE_EPOCH'] ??
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
