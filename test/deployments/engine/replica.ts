import { createDeploymentEngine, type OpenOrder, type RobotKey } from '../../../src/deployments/api/service.ts';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';

/*
 * A replica as a process of its own, with robots that report at random: `replica.ts <database> <seed>`. It hands out to every robot of the
 * database, whoever else does so too, and says a word when it is ready. SIGTERM stops it.
 */
const [address = '', seed = '0'] = process.argv.slice(2);
const db = openDatabase(address);
const log = createLogger('warn', [], (line) => void process.stderr.write(line));
const bus = createBus({ connection: address, log });
await bus.start();
const engine = createDeploymentEngine({ db, bus, log });
engine.start();
process.stdout.write('ready\n');

let state = Number(seed) + 1;
const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort());

/** One word of a robot on its order. */
function sayOf({ orderId, digest, cancel, lane, payload = '' }: OpenOrder) {
  if (cancel && random(3) > 0) return { orderId, status: 'cancelled' };
  const status = [
    'downloading',
    'installing',
    'verifying',
    'rolling_back',
    'rolled_back',
    'failed',
    'applied',
    'applied',
  ][random(8)];
  const release = JSON.parse(payload) as { release?: { artifact_sha256: string } };
  return {
    orderId,
    status: status ?? 'applied',
    digest: lane === 'config' ? digest : release.release?.artifact_sha256,
  };
}

while (!stopped.signal.aborted) {
  const links = await db<{ org_id: string; robot_id: string; epoch: number }>('robot_links').select(
    'org_id',
    'robot_id',
    'epoch',
  );
  const robots = links.map((row): RobotKey & { epoch: number } => ({
    orgId: row.org_id,
    robotId: row.robot_id,
    epoch: row.epoch,
  }));
  robots.sort(() => random(3) - 1);
  await engine.orderPort.dispatch(robots);
  const orders = await engine.orderPort.openOrders(robots);
  await Promise.all(
    robots.flatMap((robot) =>
      (orders.get(robot.robotId) ?? []).map(
        (order) => new Promise<void>((resolve) => engine.orderPort.report(robot, sayOf(order), () => resolve())),
      ),
    ),
  );
}
await engine.stop();
await bus.close();
await db.destroy();
