import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { discard, makeOwnFolder, writeDurably } from '../orders/durable.ts';
import { StepFailed, Stopped, type Handler, type OrderContext } from '../orders/handler.ts';
import { obtainArtifact } from './artifact.ts';
import { readRunArguments } from './containers/arguments.ts';
import { containerEngine, type Container, type Engine } from './containers/engine.ts';
import { candidates, findEngine, isEngineThere } from './containers/find.ts';
import { imageRecords, loadImage } from './containers/images.ts';
import { leftProcess } from './containers/left-process.ts';
import { pullImage, referenceOf } from './containers/pull.ts';
import { settleContainer } from './containers/settle.ts';
import { containerNames, create, labelNames, lookAt, remove, rename, start, stop } from './containers/stage.ts';
import type { Kind, Release, ReleaseSettings } from './release.ts';

const source = 'release:container_image';
/** Large images take long on slow disks and links; progress reports continue meanwhile. */
const longMs = 3_600_000;
const tellEveryMs = 5_000;
const defaultSettleSeconds = 10;
/** How long the previous container must run after a rollback. */
const backWithinMs = 3_000;
/** Waits between retries of a rollback: the engine may be unavailable while it is updated or restarts. */
const backTriesMs = [1_000, 2_000, 4_000, 8_000];

/**
 * Releases that are an image, which runs as the container `fleet-release` of podman or docker. Its steps:
 *
 * - download, install: load the image into the engine, and record which image the artifact became.
 * - activate: create a container of it as `-next`. Stop the running one and rename it to `-prev`. Give its name to
 *   `-next` and start it. The engine rejects an invalid container at creation, before the old one is touched.
 * - verify: the container runs for the settle time without exiting, from the image that the artifact became.
 * - commit: remove `-prev`, and all images except those of the new and the previous container.
 * - rollback: remove the new container, give `-prev` its name back and start it. Without a `-prev`, nothing runs then.
 *
 * Each step checks which of the three containers exist, and assumes nothing about what a crash left. The labels of a
 * container show its order.
 */
export const containerImageKind: Kind = { handler: containerHandler, isOffered: isEngineThere, running: runningImage };

const homeOf = ({ folder }: ReleaseSettings) => join(folder, 'container_image');
const recordsOf = (settings: ReleaseSettings) => imageRecords(join(homeOf(settings), 'images'));

async function runningImage(settings: ReleaseSettings, signal: AbortSignal): Promise<string | undefined> {
  const records = recordsOf(settings);
  if (!(await records.hasAny())) return undefined;
  const refusals: unknown[] = [];
  const names = candidates(settings);
  for (const name of names) {
    const engine = containerEngine(name, { environment: settings.environment ?? {}, signal });
    const found = await engine.container(containerNames.current).catch((error: unknown) => void refusals.push(error));
    if (found?.isRunning) return records.artifactOf(found.image, found.labels[labelNames.sha256]);
  }
  // No engine responded, so it is unknown whether the container runs.
  if (refusals.length === names.length) throw refusals[0];
  return undefined;
}

/** What the notes keep about the previous container. */
interface Before {
  id: string;
  image: string;
  wasRunning: boolean;
}

function containerHandler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler {
  const { order, notes, stopping, interrupted } = task;
  const { sha256 } = release;
  const records = recordsOf(settings);
  const settleMs = (settings.settleSeconds ?? defaultSettleSeconds) * 1000;
  const archive = join(task.directory, 'image.tar');
  /** File with the id of the last committed container. */
  const provenPath = join(homeOf(settings), 'proven');
  const left = leftProcess(task);
  let chosen: Engine | undefined;

  /** The engine chosen for this order, once no process of a crashed agent is still running. */
  async function theEngine(): Promise<Engine> {
    if (chosen) return chosen;
    await left.ended();
    const of = {
      environment: settings.environment ?? {},
      onLine: (line: string) => task.say(source, line),
      onStarted: left.remember,
    };
    const known = notes['engine'];
    chosen = typeof known === 'string' ? containerEngine(known, of) : await findEngine(settings, of);
    notes['engine'] = chosen.name;
    return chosen;
  }

  const isOfOrder = (container: Container | undefined) => container?.labels[labelNames.order] === order.order_id;
  const before = () => notes['before'] as Before | undefined;

  async function loaded(engine: Engine): Promise<string | undefined> {
    const record = await records.find(sha256);
    return record && (await engine.image(record.id)) === record.id ? record.id : undefined;
  }

  /** Throws Stopped if the agent exits: the step runs again on the next start. */
  const unlessStopping = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      throw stopping.aborted ? new Stopped() : error;
    });

  /** Reports progress until the work ends: the service times out an order without reports. */
  async function withProgress<T>(text: string, work: Promise<T>): Promise<T> {
    const timer = setInterval(() => task.progress(0, text), tellEveryMs);
    return work.finally(() => clearInterval(timer));
  }

  async function download(): Promise<void> {
    const engine = await theEngine();
    const { current, previous, next } = await lookAt(engine);
    const strange = [current, previous, next].find((each) => each && !(labelNames.sha256 in each.labels));
    if (strange) throw new StepFailed('name_taken', `another container already has the name ${strange.name}`);
    if (await loaded(engine)) return;
    const reference = referenceOf(release);
    if (reference === undefined) {
      await makeOwnFolder(task.directory);
      return obtainArtifact(settings, release, { path: archive, mode: 0o600 }, task);
    }
    const pulling = pullImage(engine, reference, { signal: interrupted, timeoutMs: longMs });
    await records.set(sha256, await withProgress('pulling the image', pulling));
  }

  async function install(): Promise<void> {
    const engine = await theEngine();
    if (await loaded(engine)) return;
    const call = { signal: interrupted, timeoutMs: longMs, changes: true, isLogged: true };
    await records.set(sha256, await withProgress('loading the image', loadImage(engine, archive, call)));
    await discard(archive);
  }

  async function activate(): Promise<void> {
    const engine = await theEngine();
    const image = await loaded(engine);
    if (image === undefined) throw new StepFailed('activate_failed', 'the image of the release is missing');
    const { current, previous } = await lookAt(engine);
    if (current && isOfOrder(current)) {
      if (!current.isRunning) await start(engine, current);
      return;
    }
    const labels = {
      [labelNames.sha256]: sha256,
      [labelNames.release]: release.id,
      [labelNames.order]: order.order_id,
    };
    const own = await readRunArguments(settings.configDirectory);
    const made = await create(engine, { image, labels, own });
    if (current) await putAside(engine, current, previous);
    // A reboot in between may have started it.
    else if (previous?.isRunning) await stop(engine, previous);
    await rename(engine, made, containerNames.current);
    await start(engine, made);
  }

  /** Of two older containers, keeps the proven one. A failed rollback or an interrupted commit left the other. */
  async function putAside(engine: Engine, current: Container, previous: Container | undefined): Promise<void> {
    const proven = await readFile(provenPath, 'utf8').catch(() => undefined);
    const kept = previous?.id === proven && previous ? previous : current;
    if (before()?.id !== kept.id)
      notes['before'] = { id: kept.id, image: kept.image, wasRunning: kept.isRunning } satisfies Before;
    await task.save();
    if (kept === previous) return remove(engine, current);
    if (previous) await remove(engine, previous);
    await stop(engine, current);
    await rename(engine, current, containerNames.previous);
  }

  async function goBack(): Promise<void> {
    const engine = await theEngine();
    await remove(engine, containerNames.next);
    const { current, previous } = await lookAt(engine);
    if (current && isOfOrder(current)) await remove(engine, current);
    const old = isOfOrder(current) ? undefined : current;
    if (!old && previous) await rename(engine, previous, containerNames.current);
    const back = old ?? previous;
    if (!back) return;
    const wasRunning = before()?.wasRunning ?? false;
    if (!back.isRunning) {
      await start(engine, back).catch((error: unknown) => {
        if (wasRunning) throw error;
      });
    }
    if (wasRunning) await settleContainer(engine, back.id, { settleMs: Math.min(backWithinMs, settleMs), task });
  }

  return {
    download: () => unlessStopping(download()),
    install: () => unlessStopping(install()),
    activate,
    async resume(step) {
      if (step !== 'verify') return;
      // A reboot in between may have started the old container, and not the new one.
      const engine = await theEngine();
      const { current, previous } = await lookAt(engine);
      if (previous?.isRunning) await stop(engine, previous);
      if (current && isOfOrder(current) && !current.isRunning) await start(engine, current);
    },
    async verify() {
      const engine = await theEngine();
      const settled = await settleContainer(engine, containerNames.current, { settleMs, restarts: 0, task });
      if (!isOfOrder(settled)) throw new StepFailed('verify_failed', 'the container of another order runs');
      const artifact = await records.artifactOf(settled.image, sha256);
      if (artifact === sha256) return artifact;
      throw new StepFailed('verify_failed', `image ${settled.image} runs, which is not from this artifact`);
    },
    async commit() {
      // The release runs. What cannot be cleaned up now is left for the next commit.
      try {
        const engine = await theEngine();
        const { current } = await lookAt(engine);
        if (current) await writeDurably(provenPath, current.id);
        await remove(engine, containerNames.previous);
        await records.discardAllBut([current?.image, before()?.image], engine);
      } catch (error) {
        task.say(source, `the remains of the previous release cannot be removed: ${String(error)}`);
      }
    },
    async rollback() {
      for (const waitMs of [...backTriesMs, undefined]) {
        try {
          await goBack();
          break;
        } catch (error) {
          if (stopping.aborted) throw new Stopped();
          if (waitMs === undefined) throw error;
          await pause(waitMs, undefined, { signal: stopping }).catch(() => undefined);
        }
      }
      const image = await records.find(sha256).catch(() => undefined);
      if (image && image.id !== before()?.image)
        await records.discard(sha256, await theEngine()).catch(() => undefined);
    },
  };
}
