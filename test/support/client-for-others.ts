import { createClient, type ClientOptions, type FleetClient } from '../../cli/client/index.ts';
import type { World } from './world.ts';

export const clientOf = (world: World, options: Partial<ClientOptions> = {}): FleetClient =>
  createClient({ baseUrl: world.url, token: world.orgToken, ...options });

/** The error that a call rejects with. */
export const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
