import { StepFailed } from '../../orders/handler.ts';
import { isGiven } from './arguments.ts';
import { EngineFailed, type Container, type Engine } from './engine.ts';

/** Of the container that runs, of the one before while it is not sure that the new one runs well, and of a new one until it takes over. */
export const containerNames = { current: 'fleet-release', previous: 'fleet-release-prev', next: 'fleet-release-next' };
/** By these a container is known as one of ours, and of which order. */
export const labelNames = { sha256: 'fleet.sha256', release: 'fleet.release', order: 'fleet.order' };

/** Limit of a call that changes a container: an image may define a stop timeout this long, or a longer one by `--stop-timeout`. */
const changeWithinMs = 150_000;

/** What the three names mean now; whatever a crash left. */
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

/** Once more where it fails: a start that was cut in the middle is cleaned up by the next one. */
export async function start(engine: Engine, { id }: Container): Promise<void> {
  await change(engine, 'start', id).catch(async () => {
    await change(engine, 'stop', id).catch(() => undefined);
    await change(engine, 'start', id);
  });
}

/** By name also one that was only half made, which engines do not show and which holds its name all the same. */
export async function remove(engine: Engine, which: Container | string): Promise<void> {
  const nameOrId = typeof which === 'string' ? which : which.id;
  // By force docker gives it no time to end.
  if (typeof which !== 'string' && which.isRunning) await stop(engine, which).catch(() => undefined);
  await change(engine, 'rm', '--force', '--volumes', nameOrId).catch((error: unknown) => {
    if (!(error instanceof EngineFailed && error.isUnknown)) throw error;
  });
}

/** Makes a container as `next`, which does not run. `own`: the operator's arguments, which the engine judges here. */
export async function create(
  engine: Engine,
  { image, labels, own }: { image: string; labels: Readonly<Record<string, string>>; own: readonly string[] },
): Promise<Container> {
  // What starts podman's containers after a boot, podman-restart.service, knows this policy alone; in all else the two are alike there.
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
  if (!made) throw new StepFailed('activate_failed', `${engine.name} made a container that is not there`);
  return made;
}
