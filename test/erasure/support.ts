import { join } from 'node:path';
import { diskBlobStore } from '../../src/artifacts/blob-store.ts';
import { erasureWork } from '../../src/erasure/service.ts';
import type { Bus } from '../../src/platform/bus/bus.ts';
import { createLogger } from '../../src/platform/logging.ts';
import type { IsolatedWorld } from '../support/world.ts';

export const workOn = (
  world: Pick<IsolatedWorld, 'db' | 'dataDir' | 'lines' | 'bus'>,
  bus: Pick<Bus, 'announcing'> = world.bus,
) =>
  erasureWork(world.db, {
    log: createLogger('info', [], (line) => void world.lines.push(line)),
    blobs: diskBlobStore(join(world.dataDir, 'artifacts')),
    objects: undefined,
    bus,
  });

export const settle = ({ db }: IsolatedWorld) =>
  db('erasures').update({ settles_at: db.raw(`now() - interval '1 s'`) });

/** Removes the robot, and then what is left of it. */
export async function eraseRobot(world: IsolatedWorld): Promise<void> {
  await workOn(world).run();
  await settle(world);
  await workOn(world).run();
}

/** The robot is connected to a replica that lives. */
export async function connect({ db, orgId }: IsolatedWorld, robotId: string): Promise<void> {
  await db('robot_links').insert({
    org_id: orgId,
    robot_id: robotId,
    epoch: 1,
    connected_at: new Date(),
    last_seen_at: new Date(),
    replica_id: (await db('replicas').first('id')).id,
    agent_version: 'test/1',
    boot_id: 'b',
    instance: 'i',
  });
}
