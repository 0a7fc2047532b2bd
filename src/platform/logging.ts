import { pino, type Logger } from 'pino';
import { redactTokens } from '../kernel/tokens.ts';

/**
 * JSON lines on stdout. Every token is redacted before a line leaves the process. Tokens are recognised by their
 * format, so call sites need no care. `secrets` are values without a recognisable format, such as the admin token.
 * `traceId`: of the request in progress, added to its lines.
 */
export function createLogger(
  level: string,
  secrets: string[] = [],
  write: (line: string) => void = (line) => void process.stdout.write(line),
  traceId?: () => string | undefined,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      ...(traceId && { mixin: () => traceFields(traceId()) }),
    },
    {
      write(line: string) {
        write(secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), redactTokens(line)));
      },
    },
  );
}

const traceFields = (traceId: string | undefined) => (traceId === undefined ? {} : { trace_id: traceId });
