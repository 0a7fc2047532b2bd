import { exitCode } from './exit-codes.ts';

/** Default handler of Ctrl-C, while no other code controls the terminal. */
export const endOnInterrupt = (): never => process.exit(exitCode.interrupted);
