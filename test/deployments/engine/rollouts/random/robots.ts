import type { Knex } from 'knex';
import { newcomerOf, sha256, type DeploymentWorld, type LinkedRobot } from '../../support.ts';
import type { Random } from '../../../../support/random.ts';
import { lockDeployments, passTime } from './time.ts';
import type { Operation, ScenarioRobot } from './scenario.ts';

type Change = (trx: Knex, robotId: string) => Promise<unknown>;

/** The robots of a walk, and what happens to them. `releases`: what they may run. */
export async function startRobots(
  it: DeploymentWorld,
  robots: readonly ScenarioRobot[],
  releases: readonly { id: string; sha256: string }[],
  { pick, chance }: Random,
) {
  const { db, world } = it;
  const site = (await world.call('POST', '/api/sites', { body: { name: 'Kobe' } })).body.data;
  const other = (await world.call('POST', '/api/fleets', { body: { name: 'others', site_id: site.id } })).body.data;
  let links: LinkedRobot[] = await it.robots(robots.length);
  for (const [index, { robotId }] of links.entries()) await settle(robotId, robots[index]);

  async function settle(robotId: string, robot: ScenarioRobot | undefined): Promise<void> {
    if (!robot) return;
    await db('robots')
      .where({ id: robotId })
      .update({ labels: JSON.stringify({ tier: robot.tier, hall: robot.hall }) });
    await db('robot_links')
      .where({ robot_id: robotId })
      .update({
        timezone: robot.zone ?? null,
        keeps_windows: robot.isModern,
        asks_gates: robot.isModern,
        replica_id: robot.isOnline ? it.replicaId : null,
      });
  }

  /** Changes what budgets count: not while robots are admitted, so that a count is right until it is committed. */
  const alone = (work: (trx: Knex) => Promise<unknown>) =>
    db.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(24035, hashtext(?))', [world.orgId]);
      await work(trx);
    });

  const ofRobot = async (change: Change): Promise<string | undefined> => {
    if (links.length === 0) return undefined;
    const { robotId } = pick(links);
    await alone((trx) => change(trx, robotId));
    return robotId;
  };

  /** A robot goes, comes back, falls ill or runs something else: no decision is made meanwhile. */
  const disturb = (change: Change) =>
    ofRobot(async (trx, robotId) => {
      await lockDeployments(trx);
      await change(trx, robotId);
    });
  const link = (trx: Knex, robotId: string, replicaId: string | null) =>
    trx('robot_links').where({ robot_id: robotId }).update({ replica_id: replicaId, last_seen_at: trx.fn.now() });

  /** What runs is what it proved last, or something else. */
  async function runOther(trx: Knex, robotId: string): Promise<void> {
    const report = await trx('robot_reports').where({ robot_id: robotId }).first('releases');
    const { release_id: id, drift } = report?.releases?.file ?? {};
    const proven = releases.find((each) => each.id === id);
    const robot = links.find((each) => each.robotId === robotId);
    if (!proven || !robot) return;
    const running = [{ kind: 'file', sha256: drift ? proven.sha256 : sha256('0') }];
    await new Promise((resolve) => it.orderPort.running(robot, running, resolve));
  }

  /** Rollouts are decided on every 5 s. */
  async function afterDecisions(what: Promise<string | undefined>): Promise<string | undefined> {
    const told = await what;
    await passTime(db, 6);
    return told;
  }

  return {
    async online(): Promise<LinkedRobot[]> {
      const ids = new Set(await db('robot_links').where({ replica_id: it.replicaId }).pluck('robot_id'));
      return links.filter(({ robotId }) => ids.has(robotId));
    },

    /** All are online and well, and no budget counts them. */
    free: () =>
      alone(async (trx) => {
        await lockDeployments(trx);
        await trx('robot_links').update({ replica_id: it.replicaId, last_seen_at: trx.fn.now() });
        await trx('robot_status').update({ severity: 0, conditions: '[]' });
        await trx.raw(
          `update robot_reports set releases = releases #- '{file,drift}' where releases #> '{file,drift}' is not null`,
        );
        await trx('disruption_budgets').delete();
      }),

    /** Each happens to one of them, and gives its ID. */
    operations: {
      offline: () => disturb((trx, id) => link(trx, id, null)),
      online: () => disturb((trx, id) => link(trx, id, it.replicaId)),
      unhealthy: () =>
        afterDecisions(
          disturb((trx, id) =>
            trx.raw(
              `update robot_status set severity = 2 - severity, conditions = case when severity = 2 then '[]' else
                 jsonb_build_array(jsonb_build_object('rule_id', gen_random_uuid(), 'name', 'hot', 'message', 'hot', 'severity', 'unhealthy',
                   'since', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) end where robot_id = ?`,
              [id],
            ),
          ),
        ),
      drift: () => afterDecisions(disturb(runOther)),
      relabel: () =>
        ofRobot((trx, id) =>
          trx('robots')
            .where({ id })
            .update({ labels: JSON.stringify({ tier: 'canary', hall: '1' }) }),
        ),
      async remove() {
        const removed =
          links.length > 1 ? await ofRobot((_trx, id) => world.call('DELETE', `/api/robots/${id}`)) : undefined;
        links = links.filter(({ robotId }) => robotId !== removed);
        return removed;
      },
      move: () =>
        ofRobot((_trx, id) =>
          world.call('PATCH', `/api/robots/${id}`, { body: { fleet_id: chance(0.6) ? other.id : it.fleetId } }),
        ),
      async join() {
        await alone(async () => void links.push((await newcomerOf(it)).newcomer));
        return links.at(-1)?.robotId;
      },
    } satisfies Partial<Record<Operation, () => Promise<string | undefined>>>,
  };
}
