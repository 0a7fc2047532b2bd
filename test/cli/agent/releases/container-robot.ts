import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Order, OrderState } from '../../../../generated/frames.js';
import { beRobot, startAgent, stateOf, type RunningAgent } from '../../../support/agent-process.ts';
import { startHome, type Home } from '../../../support/cli.ts';
import { orderOf, sha256, startOrderServer, type OrderServer } from '../../../support/orders.ts';
import { realPodman, type Podman } from '../../../support/podman.ts';

/** A robot whose agent runs containers through a shim of podman, which the test controls. */
export interface ContainerRobot extends AsyncDisposable {
  home: Home;
  server: OrderServer;
  /** A new agent; the previous one has ended. */
  start(...args: string[]): RunningAgent;
  /** An order for the image in this archive, which is put where the agent finds it. */
  order(archive: Buffer, tag?: string): Promise<Order>;
  /** Returns the order and its outcome. */
  deploy(archive: Buffer, tag?: string): Promise<OrderState>;
  /** The same for an artifact that is not available. */
  deployWithoutFile(archive: Buffer): Promise<OrderState>;
  /** The same for an image that is pulled: `name@sha256:<hex>`. */
  deployReference(reference: string): Promise<OrderState>;
  /** The lines of `container-run.args`. */
  setArguments(text: string): Promise<void>;
  /**
   * The effects on the next calls of podman, in this order: each line is an action and a regular expression for the
   * arguments of the call. `kill` kills the agent with -9 and continues with the call, `cut` kills both, `away` removes
   * podman until the test restores it.
   */
  plan(...lines: string[]): Promise<void>;
  /** The rest of the plan. */
  planned(): Promise<string[]>;
  /** Restores podman. */
  putBack(): Promise<void>;
  /** All calls of podman so far. */
  calls(): Promise<string[]>;
}

const shim = `#!/bin/sh
if read -r action wanted < "$PODMAN_PLAN" && echo "$*" | grep -qE -e "$wanted"; then
  # Before the plan says that it came: then the test may put it back.
  test "$action" != away || rm "$0"
  sed -i 1d "$PODMAN_PLAN"
  case $action in
    kill) kill -9 $PPID ;;
    cut) kill -9 $PPID; exit 137 ;;
    away) exit 125 ;;
  esac
fi
echo "$*" >> "$PODMAN_PLAN.calls"
exec "$PODMAN_REAL" "$@"
`;

function imageOrder(tag: string, artifact_sha256: string, artifact_size: number): Order {
  const release = { id: randomUUID(), tag, kind: 'container_image', artifact_sha256, artifact_size };
  return orderOf('release:container_image', JSON.stringify({ release }));
}

export async function startContainerRobot(podman: Podman): Promise<ContainerRobot> {
  const server = await startOrderServer();
  const home = await startHome();
  await beRobot(home, server.url);
  const bin = join(home.path, 'bin');
  const planPath = join(home.path, 'plan');
  await mkdir(bin);
  await mkdir(join(stateOf(home), 'artifacts'), { recursive: true, mode: 0o700 });
  await writeFile(planPath, '');
  const putBack = async () => {
    await writeFile(join(bin, 'podman'), shim);
    await chmod(join(bin, 'podman'), 0o700);
  };
  await putBack();
  // No other folder: without podman here, the next one must not provide it.
  for (const tool of ['grep', 'rm', 'sed']) await symlink(join('/bin', tool), join(bin, tool));
  const env = {
    ...podman.env,
    PATH: bin,
    PODMAN_PLAN: planPath,
    PODMAN_REAL: realPodman,
  };

  const robot: ContainerRobot = {
    home,
    server,
    putBack,
    start: (...args) => startAgent(home, ['--settle-seconds', '1', '--container-engine', 'podman', ...args], env),
    async order(archive, tag = 'v1') {
      await writeFile(join(stateOf(home), 'artifacts', sha256(archive)), archive);
      return imageOrder(tag, sha256(archive), archive.length);
    },
    async deploy(archive, tag) {
      const order = await robot.order(archive, tag);
      server.give(order);
      return server.endOf(order);
    },
    async deployWithoutFile(archive) {
      const order = await robot.order(archive);
      await rm(join(stateOf(home), 'artifacts', sha256(archive)));
      server.give(order);
      return server.endOf(order);
    },
    deployReference(reference) {
      const order = imageOrder(reference, reference.split(':').at(-1) ?? '', 1);
      server.give(order);
      return server.endOf(order);
    },
    setArguments: (text) => writeFile(join(home.config, 'container-run.args'), text),
    plan: (...lines) => writeFile(planPath, lines.map((line) => `${line}\n`).join('')),
    planned: async () => (await readFile(planPath, 'utf8')).split('\n').filter(Boolean),
    async calls() {
      return (await readFile(`${planPath}.calls`, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await podman.clear();
      await server[Symbol.asyncDispose]();
    },
  };
  return robot;
}
