import type { Knex } from 'knex';
import { notFound } from '../kernel/errors.ts';
import { fleetService } from '../fleets/service.ts';
import type { Robot, RobotChange } from './model.ts';
import { robotStore } from './store.ts';

export type { Robot };

export type RobotService = ReturnType<typeof robotService>;

export function robotService(db: Knex) {
  const robots = robotStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<Robot> {
    const robot = await robots.find(orgId, id, options);
    if (!robot) throw notFound('robot');
    return robot;
  }

  return {
    get,
    create: robots.create,
    findByAttempt: robots.findByAttempt,
    list: robots.list,

    /** A move to another fleet is a move to its site. Gives the robot before and after. @throws not_found for the robot or the fleet */
    async update(
      orgId: string,
      id: string,
      { name, labels, fleetId }: RobotChange,
    ): Promise<{ before: Robot; after: Robot }> {
      const before = await get(orgId, id, { lock: true });
      const fleet = fleetId === undefined ? undefined : await fleetService(db).get(orgId, fleetId);
      const after = await robots.update(orgId, before.id, {
        name,
        labels,
        place: fleet && { siteId: fleet.siteId, fleetId: fleet.id },
      });
      if (!after) throw notFound('robot');
      return { before, after };
    },

    /** Gives the robot as it was. @throws not_found */
    async delete(orgId: string, id: string): Promise<Robot> {
      const robot = await get(orgId, id, { lock: true });
      await robots.delete(orgId, robot.id);
      return robot;
    },
  };
}
