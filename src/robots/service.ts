import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { notFound } from '../kernel/errors.ts';
import { fleetService } from '../fleets/service.ts';
import { timelineService, type NewTimelineEntry } from '../timeline/service.ts';
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

    /**
     * A move to another fleet includes the move to its site. Returns the robot before and after.
     * @throws not_found for the robot or the fleet
     */
    async update(
      orgId: string,
      id: string,
      { name, labels, fleetId }: RobotChange,
    ): Promise<{ before: Robot; after: Robot }> {
      const before = await get(orgId, id, { lock: true });
      const fleet = fleetId === undefined ? undefined : await fleetService(db).get(orgId, fleetId);
      const changed = await robots.update(orgId, before.id, {
        name,
        labels,
        place: fleet && { siteId: fleet.siteId, fleetId: fleet.id },
      });
      if (!changed) throw notFound('robot');
      const { online, lastSeenAt, duplicateAgentAt, reported, cameras, topics } = before;
      const after = { ...changed, online, lastSeenAt, duplicateAgentAt, reported, cameras, topics };
      const changes = changesOf(before, after).map((change) => ({ orgId, robotId: before.id, ...change }));
      if (changes.length > 0) await timelineService(db).recordMany(changes);
      return { before, after };
    },

    /** Returns the deleted robot. @throws not_found */
    async delete(orgId: string, id: string): Promise<Robot> {
      const robot = await get(orgId, id, { lock: true });
      await robots.delete(orgId, robot.id);
      return robot;
    },
  };
}

/** The timeline entries for a change of the robot. */
function changesOf(before: Robot, after: Robot): Pick<NewTimelineEntry, 'kind' | 'details'>[] {
  const changes: Pick<NewTimelineEntry, 'kind' | 'details'>[] = [];
  if (after.name !== before.name)
    changes.push({ kind: 'renamed', details: { before: before.name, after: after.name } });
  if (after.fleetId !== before.fleetId)
    changes.push({
      kind: 'moved',
      details: {
        before_fleet_id: before.fleetId,
        after_fleet_id: after.fleetId,
        before_site_id: before.siteId,
        after_site_id: after.siteId,
      },
    });
  if (!isDeepStrictEqual(after.labels, before.labels))
    changes.push({ kind: 'labelled', details: { before: before.labels, after: after.labels } });
  return changes;
}
