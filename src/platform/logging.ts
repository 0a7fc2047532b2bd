import { pino, type Logger } from 'pino';
import { redactTokens } from '../kernel/tokens.ts';

/**
 * JSON lines on stdout. Whatever is logged, a token in it is made unreadable before it leaves the process: by its form, wherever it stands, so
 * that no call site has to think of it.
 */
export function createLogger(
  level: string,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: ['*.headers.authorization', '*.query.token'],
    },
    { write: (line: string) => write(redactTokens(line)) },
  );
}
