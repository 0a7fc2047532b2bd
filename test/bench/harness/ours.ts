import { built } from './built.ts';
import { startServer, type RunningServer } from './child.ts';

export const benchAdminToken = 'bench-admin-token-of-at-least-32-characters';

/**
 * The built server as it runs in production, but without rate limits, which the peers have not and a load would meet. `env`
 * adds to that. It has the time to send its agents away when it is stopped.
 */
export function startOurs(
  env: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): Promise<RunningServer> {
  const settings = {
    NODE_ENV: 'production',
    SERVICE_ADMIN_TOKEN: benchAdminToken,
    PORT: '0',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    ...env,
  };
  return startServer(built('dist/server/main.js'), settings, { stopWithinMs: 40_000, nodeFlags });
}
