import type { Knex } from 'knex';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { readInstant } from '../kernel/instants.ts';
import { releaseService } from '../releases/service.ts';
import { timelineService } from '../timeline/service.ts';
import type { Reported, Robot, RobotPin } from './model.ts';
import { pinStore } from './pin-store.ts';
import { robotService } from './service.ts';

export type PinService = ReturnType<typeof pinService>;

interface PinRequest {
  releaseId: string | undefined; // undefined: what the robot runs
  until: string;
  reason: string;
  pinnedBy: string;
}

/** `deployment_id`: of another release, whose order the robot has; a pin does not take it back. */
type PinView = RobotPin & { deployment_id?: string };

const maxDays = 366;
const dayMs = 86_400_000;
/** A script does not stay, and the agent is beside what the robot runs. */
const kindsBeside: readonly string[] = ['script', 'agent'];

/** Pins of robots. A change needs a transaction. */
export function pinService(db: Knex) {
  const pins = pinStore(db);

  async function withOrder(orgId: string, robotId: string, pin: RobotPin): Promise<PinView> {
    const deploymentId = await pins.findOpenOrder(orgId, robotId, pin.release_id);
    return { ...pin, ...(deploymentId !== undefined && { deployment_id: deploymentId }) };
  }

  /** @throws not_found for the robot, and unless it is pinned */
  async function find(orgId: string, id: string, options?: { lock: boolean }): Promise<[Robot, RobotPin]> {
    const robot = await robotService(db).get(orgId, id, options);
    const pin = await pins.find(orgId, robot.id);
    if (!pin) throw notFound('pin');
    return [robot, pin];
  }

  return {
    /** @throws not_found for the robot, and unless it is pinned */
    async get(orgId: string, id: string): Promise<PinView> {
      const [robot, pin] = await find(orgId, id);
      return withOrder(orgId, robot.id, pin);
    },

    /**
     * Pins a robot, in place of an earlier pin. The same pin again changes nothing; then `after` is `before`.
     * @throws not_found for the robot and the release, bad_request for an invalid time, conflict for a retired robot, and
     * without a release unless the robot runs exactly one
     */
    async set(
      orgId: string,
      id: string,
      request: PinRequest,
    ): Promise<{ robotId: string; before: PinView | undefined; after: PinView }> {
      const robot = await robotService(db).get(orgId, id, { lock: true });
      if (robot.replacedBy !== undefined)
        throw conflict(`robot "${robot.name}" is retired; pin robot ${robot.replacedBy}, which replaced it`);
      const releaseId = request.releaseId ?? runningRelease(robot);
      await releaseService(db).get(orgId, releaseId);
      const until = readUntil(request.until);
      const { reason, pinnedBy } = request;
      const found = await pins.find(orgId, robot.id);
      const before = found && (await withOrder(orgId, robot.id, found));
      if (before && isSame(before, { releaseId, until, reason })) return { robotId: robot.id, before, after: before };
      await pins.set(orgId, robot.id, { releaseId, until, reason, pinnedBy });
      const pin = await pins.find(orgId, robot.id);
      if (!pin) throw badRequest('body.until: must be in the future'); // by the clock of the database
      await timelineService(db).record(orgId, robot.id, 'pinned', {
        ...aboutPin(pin),
        until: pin.until,
        pinned_by: pinnedBy,
      });
      return { robotId: robot.id, before, after: await withOrder(orgId, robot.id, pin) };
    },

    /** Returns the pin that ended. @throws not_found for the robot, and unless it is pinned */
    async delete(orgId: string, id: string, unpinnedBy: string): Promise<{ robotId: string; before: RobotPin }> {
      const [robot, pin] = await find(orgId, id, { lock: true });
      await pins.delete(orgId, robot.id);
      await timelineService(db).record(orgId, robot.id, 'unpinned', { ...aboutPin(pin), unpinned_by: unpinnedBy });
      return { robotId: robot.id, before: pin };
    },
  };
}

/** For the timeline of the robot. */
const aboutPin = ({ release_id, tag, reason }: RobotPin) => ({ release_id, tag, reason });

/** @throws bad_request */
function readUntil(text: string): Date {
  const until = readInstant(text);
  if (!until) throw badRequest('body.until: must be an instant like 2026-11-22T02:00:00Z or 2026-11-22T02:00:00+09:00');
  if (until.getTime() - Date.now() > maxDays * dayMs) throw badRequest(`body.until: more than ${maxDays} days ahead`);
  return until;
}

/** @throws conflict unless the robot runs exactly one release by its last report */
function runningRelease({ name, reported }: Robot): string {
  const running = Object.entries(reported.releases).flatMap(([kind, each]) =>
    kindsBeside.includes(kind) ? [] : runningNow(each),
  );
  const [first, ...others] = running;
  if (first && others.length === 0) return first.releaseId;
  const what = first
    ? `runs ${running.length} releases: ${running.map(({ tag }) => tag).join(', ')}`
    : 'has reported no release';
  throw conflict(`robot "${name}" ${what}; send the release_id at which it stays`);
}

/** With a drift, something else runs, perhaps another release. */
function runningNow({ release_id: releaseId, tag, drift }: Reported['releases'][string]) {
  if (!drift) return [{ releaseId, tag }];
  const { running_release_id: otherId, running_tag: otherTag } = drift;
  return otherId === undefined ? [] : [{ releaseId: otherId, tag: otherTag ?? otherId }];
}

const isSame = (pin: RobotPin, { releaseId, until, reason }: { releaseId: string; until: Date; reason: string }) =>
  pin.release_id === releaseId && Date.parse(pin.until) === until.getTime() && pin.reason === reason;
