import { exitCode } from './exit-codes.ts';

/** What Ctrl-C does unless somebody else has the terminal. */
export const endOnInterrupt = (): never => process.exit(exitCode.interrupted);
