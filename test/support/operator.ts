import { randomUUID } from 'node:crypto';
import type { Answer, World } from './world.ts';

/**
 * An operator's actions on the robots of a world, through its API. Each deployment is for one robot unless a fleet is
 * named.
 */
export function operatorOf(world: {
  call: (...call: Parameters<World['call']>) => Promise<Pick<Answer, 'status' | 'text' | 'body'>>;
}) {
  let newest = { path: '', id: '' };

  async function make(path: string, body?: object, headers: Record<string, string> = {}): Promise<string> {
    const made = await world.call('POST', path, { body, headers });
    if (made.status >= 300) throw new Error(`${path} was answered ${made.status}: ${made.text}`);
    return (made.body.data as { id: string }).id;
  }

  async function deploy(path: string, body: object): Promise<string> {
    newest = { path, id: await make(path, body, { 'Idempotency-Key': randomUUID() }) };
    return newest.id;
  }

  return {
    /** Sets the entry and deploys that revision; returns the deployment. */
    async deployConfig(
      target_id: string,
      entry: { namespace?: string; key: string; value: unknown },
      target_kind: 'robot' | 'fleet' = 'robot',
    ): Promise<string> {
      const config_id = await make('/api/configs', entry);
      return deploy('/api/configs/deployments', { config_id, target_kind, target_id });
    },

    async deployRelease(
      target_id: string,
      release: { tag: string; kind?: string; artifact_sha256: string; artifact_size: number },
      target_kind: 'robot' | 'fleet' = 'robot',
    ): Promise<string> {
      const release_id = await make('/api/releases', release);
      return deploy('/api/deployments', { release_id, target_kind, target_id });
    },

    /** Cancels the newest deployment. */
    cancel: () => make(`${newest.path}/${newest.id}/cancel`),

    /** The current state of the newest deployment. */
    async deployment() {
      return (await world.call('GET', `${newest.path}/${newest.id}`)).body.data;
    },
  };
}
