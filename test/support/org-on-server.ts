import { randomUUID } from 'node:crypto';
import { approvedOrg } from './killable-service.ts';
import { startServer } from './server-process.ts';

const adminToken = 'x'.repeat(32);

/** The built service, or another one, with these settings, an approved org on it, and calls with the token of the org. */
export async function orgOnServer(env: Record<string, string>, command?: string[]) {
  const server = await startServer({ ...env, SERVICE_ADMIN_TOKEN: adminToken, RATE_LIMIT: 'off' }, command);
  const { token } = await approvedOrg(server.url, adminToken);
  const call = (method: string, path: string, body?: object, as = token) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${as}`,
        'Idempotency-Key': randomUUID(),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  /** The `data` of a POST. @throws unless it succeeds */
  async function data(path: string, body: object, as?: string): Promise<Record<string, string>> {
    const response = await call('POST', path, body, as);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Record<string, string> }).data;
  }
  return { server, token, call, data, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
