import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Fault } from './chain.ts';

/** A log, or its files, that were changed. */
export const broken = (fault: Fault): CliError =>
  new CliError(`the audit log is not intact: ${fault}`, {
    code: 'conflict',
    exit: exitCode.error,
    hint: 'List the entries around it with: cli audit list --after <seq>',
  });

/** What cannot be verified with these files and flags, though nothing is known to be changed. */
export const unverifiable = (reason: string, hint?: string): CliError =>
  new CliError(reason, { code: 'conflict', exit: exitCode.error, hint });
