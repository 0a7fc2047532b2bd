import { StepFailed } from '../../orders/handler.ts';
import { isGiven } from './arguments.ts';
import { EngineFailed, type Container, type Engine } from './engine.ts';

/** Names: of the running container, of the previous one until commit, and of a new one until it takes over. */
export const containerNames = { current: 'fleet-release', previous: 'fleet-release-prev', next: 'fleet-release-next' };
/** Labels that mark a container as the agent's, and show its order. */
export const labelNames = { sha256: 'fleet.sha256', release: 'fleet.release', order: 'fleet.order' };

/**
 * Limit of a call that changes a container. An image may define a stop timeout this long, `--stop-timeout` a longer
 * one.
 */
const changeWithinMs = 150_000;

/** The containers that have the three names now, in any combination that a crash may leave. */
interface Trio {
  current: Container | undefined;
  previous: Container | undefined;
  next: Container | undefined;
}

export async function lookAt(engine: Engine): Promise<Trio> {
  const found = await engine.containers(Object.values(containerNames));
  const of = (name: string) => found.find((each) => each.name === name);
  return {
    current: of(containerNames.current),
    previous: of(containerNames.previous),
    next: of(containerNames.next),
  };
}

const change = (engine: Engine, ...args: string[]) => engine.call(args, { changes: true, timeoutMs: changeWithinMs });

export const stop = (engine: Engine, { id }: Container) => change(engine, 'stop', id);

export const rename = (engine: Engine, { id }: Container, name: string) => change(engine, 'rename', id, name);

/** Retried once if it fails: the next start cleans up after an interrupted one. */
export async function start(engine: Engine, { id }: Container): Promise<void> {
  await change(engine, 'start', id).catch(async () => {
    await change(engine, 'stop', id).catch(() => undefined);
    await change(engine, 'start', id);
  });
}

/** A name also removes a container that was created only in part: engines do not list it, but its name is taken. */
export async function remove(engine: Engine, which: Container | string): Promise<void> {
  const nameOrId = typeof which === 'string' ? which : which.id;
  // With `--force`, docker gives a container no time to exit.
  if (typeof which !== 'string' && which.isRunning) await stop(engine, which).catch(() => undefined);
  await change(engine, 'rm', '--force', '--volumes', nameOrId).catch((error: unknown) => {
    if (!(error instanceof EngineFailed && error.isUnknown)) throw error;
  });
}

/**
 * Creates a container as `next` without starting it. `own`: the operator's arguments, which the engine validates here.
 */
export async function create(
  engine: Engine,
  { image, labels, own }: { image: string; labels: Readonly<Record<string, string>>; own: readonly string[] },
): Promise<Container> {
  // podman-restart.service, which starts podman's containers after a boot, knows only `always`. Otherwise the two
  // policies are the same in podman.
  const policy = engine.name === 'podman' ? 'always' : 'unless-stopped';
  await remove(engine, containerNames.next);
  await change(
    engine,
    ...['create', '--name', containerNames.next, '--pull', 'never'],
    ...(isGiven(own, '--network', '--net', '--pod') ? [] : ['--network', 'host']),
    ...(isGiven(own, '--restart') ? [] : ['--restart', policy]),
    ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    ...own,
    image,
  );
  const made = await engine.container(containerNames.next);
  if (!made) throw new StepFailed('activate_failed', `${engine.name} created a container, but it is missing`);
  return made;
}
