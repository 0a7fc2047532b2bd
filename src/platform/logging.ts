import { pino, type Logger } from 'pino';
import { redactTokens } from '../kernel/tokens.ts';

/**
 * JSON lines on stdout. Whatever is logged, a token in it is made unreadable before it leaves the process: by its form, wherever it stands, so
 * that no call site has to think of it. `secrets` are those without a form, such as the admin token.
 */
export function createLogger(
  level: string,
  secrets: string[] = [],
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Logger {
  return pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    {
      write(line: string) {
        write(secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), redactTokens(line)));
      },
    },
  );
}
