import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { Fleet } from './fleet.ts';
import type { History } from './history.ts';
import { send, sendUntilDone, type Request } from './requests.ts';
import type { FaultService } from './service.ts';

/** What operators and programs do with the service, without a pause until it is stopped. */
export interface Callers {
  /** Starts no more operations; resolves once each has succeeded, or failed to for a while. */
  stop(): Promise<void>;
}

const pauseMs = 50;
const artifactBytes = 400_000;
/** How long each operation is retried after the end. */
const lastTriesMs = 45_000;
/** How long a revoked token is presented, at most. */
const presentedMs = 15_000;
const useTimeoutMs = 3_000;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export function startCallers(service: FaultService, fleet: Fleet, history: History, random: Random): Callers {
  let isOver = false;
  let giveUpMs = Infinity;
  const isRunning = () => !isOver; // as a function: it changes while requests are awaited
  const mayRetry = () => performance.now() < giveUpMs;

  const requestOf = (
    kind: Request['kind'],
    method: string,
    path: string,
    key = '',
    body?: Request['body'],
  ): Request => ({
    kind,
    method,
    key,
    url: `${service.url}${path}`,
    token: service.token,
    ...(body !== undefined && { body }),
  });
  const finish = (...parts: Parameters<typeof requestOf>) => sendUntilDone(history, requestOf(...parts), mayRetry);

  async function write(): Promise<void> {
    await send(history, requestOf('read', 'GET', '/api/robots?limit=10'));
    const name = randomUUID();
    await finish('site', 'POST', '/api/sites', name, { name });
  }

  /** The newest revision of a key of its own, for a robot of the fleet. */
  async function deploy(): Promise<void> {
    const key = randomUUID();
    const config = await finish('read', 'POST', '/api/configs', '', { namespace: 'faults', key, value: 1 });
    if (!config) return;
    const target = { target_kind: 'robot', target_id: random.pick(fleet.robotIds) };
    const body = { config_id: config.data['id'], ...target };
    await finish('deployment', 'POST', '/api/configs/deployments', String(config.data['id']), body);
  }

  async function upload(): Promise<void> {
    const bytes = randomBytes(artifactBytes);
    const digest = sha256(bytes);
    const artifact = { artifact_sha256: digest, artifact_size: bytes.length, kind: 'file' };
    if (await finish('read', 'POST', '/api/releases', digest, { tag: digest, ...artifact }))
      await finish('upload', 'PUT', `/api/artifacts/${digest}`, digest, bytes);
  }

  /** A token is used at each replica, revoked, and used until all refuse it. */
  async function useTokens(userId: string): Promise<void> {
    const made = await finish('read', 'POST', `/api/users/${userId}/tokens`, '', {});
    if (!made) return;
    const [key, token] = [String(made.data['id']), String(made.data['value'])];
    const use = (url: string) =>
      send(history, {
        kind: 'use',
        method: 'GET',
        url: `${url}/api/sites?limit=1`,
        key,
        token,
        timeoutMs: useTimeoutMs,
      });
    await Promise.all(service.urls.map(use));
    if (!(await finish('revoke', 'POST', `/api/tokens/${key}/revoke`, key))) return;
    const endMs = performance.now() + presentedMs;
    const present = async (url: string) => {
      while (performance.now() < endMs && (await use(url)).status !== 401) await sleep(pauseMs);
    };
    await Promise.all(service.urls.map(present));
  }

  async function repeat(act: () => Promise<void>, waitMs = pauseMs): Promise<void> {
    for (; isRunning(); await sleep(waitMs)) await act();
  }

  async function withUser(): Promise<void> {
    const email = `${randomUUID()}@example.com`;
    const user = await finish('read', 'POST', '/api/users', '', { email, role: 'viewer' });
    if (user) await repeat(() => useTokens(String(user.data['id'])), 500);
  }

  const running = Promise.all([repeat(write), repeat(write), repeat(deploy, 200), repeat(upload, 200), withUser()]);
  return {
    async stop() {
      isOver = true;
      giveUpMs = performance.now() + lastTriesMs;
      await running;
    },
  };
}
