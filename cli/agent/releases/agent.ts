import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { limits } from '../../../generated/protocol.js';
import { runCommand } from '../orders/command.ts';
import { discard } from '../orders/durable.ts';
import { StepFailed, Stopped, type Handler, type OrderContext } from '../orders/handler.ts';
import { withTail } from '../orders/text.ts';
import { fileOf, homeOf, readRecord, rolledBack, writeRecord, type UpdateRecord } from '../update/record.ts';
import type { RunningAgent } from '../update/running-agent.ts';
import { obtainArtifact } from './artifact.ts';
import type { Kind, Release, ReleaseSettings } from './release.ts';

const readable = 0o600;
const versionTimeoutMs = 20_000;
const defaultSettleSeconds = 120;

/**
 * Releases of the agent itself: one file, `agent.mjs`. The old agent exits in the middle of the order, and the new
 * agent resumes it from the journal. The new agent is on probation until its link has been up for `settleSeconds`
 * without a break. An agent that does not pass probation is rolled back, by itself or by its supervisor
 * (../update/supervisor.ts). The previous agent then reports the reason.
 */
export const agentKind: Kind = {
  handler: agentHandler,
  isOffered: ({ self }) => self?.digest !== undefined,
  running: async ({ self }) => self?.digest,
};

/** Limits for one start of a new agent: to keep a link that long, and to end probation. At 120 s: 300 s and 425 s. */
const linkWithinSeconds = (settleSeconds: number) => settleSeconds * 2.5;
const probationSeconds = (settleSeconds: number) => settleSeconds * 3.5 + 5;

function agentHandler(settings: ReleaseSettings, release: Release, task: OrderContext): Handler {
  const { self, settleSeconds = defaultSettleSeconds } = settings;
  if (!self?.digest) throw new StepFailed('no_handler', 'this agent cannot replace itself');
  const { notes } = task;
  const home = homeOf(settings.folder);
  const file = fileOf(home, release.sha256);
  let isInEffect = true;

  const runs = self.digest === release.sha256;
  const isRunning = ({ current }: UpdateRecord) => (current ? current.digest === self.digest : self.isInstalled);

  /** Why the ordered agent does not run. */
  function failureOf({ taken_back: back }: UpdateRecord): StepFailed {
    if (back?.digest !== release.sha256)
      return new StepFailed('verify_failed', `another agent runs, of SHA-256 ${self?.digest ?? 'unknown'}`);
    const text = withTail(`the new agent was rolled back: ${back.why}`, back.tail, limits.maxReportMessageBytes);
    return new StepFailed('verify_failed', text);
  }

  return {
    async download() {
      await unlessStopped(task, obtainArtifact(settings, release, { path: file, mode: readable }, task));
    },
    async install() {
      notes['version'] = await unlessStopped(task, versionOf(file, task));
      await discardOthers(home, await readRecord(home), release.sha256);
    },
    async activate() {
      const record = await readRecord(home);
      if (record.current?.digest !== release.sha256) {
        await writeRecord(home, {
          ...record,
          current: { digest: release.sha256, version: String(notes['version']) },
          previous: record.current,
          probation: { starts: 0, limit_seconds: probationSeconds(settleSeconds) },
          taken_back: undefined,
        });
      }
      isInEffect = runs;
    },
    needsRestart: () => !isInEffect,
    restart: () => restart(self, task),
    async hasRestarted() {
      const record = await readRecord(home);
      if (notes['back'] !== true && !runs && record.taken_back?.digest === release.sha256) throw failureOf(record);
      return isRunning(record);
    },
    async verify() {
      if (!runs) throw failureOf(await readRecord(home));
      const { probation } = await readRecord(home);
      const withinSeconds = linkWithinSeconds(settleSeconds);
      const why =
        probation &&
        (await unlessStopped(task, self.link.upFor(settleSeconds * 1000, withinSeconds * 1000, task.stopping)));
      if (why === undefined) return release.sha256;
      throw new StepFailed(
        'verify_failed',
        `the new agent had no link for ${settleSeconds} s without a break within ${withinSeconds} s: ${why}`,
      );
    },
    async commit() {
      const record = await readRecord(home);
      if (!runs || record.current?.digest !== release.sha256) throw failureOf(record);
      if (record.probation) await writeRecord(home, { ...record, probation: undefined });
      await discardOthers(home, record, release.sha256).catch(() => undefined);
    },
    async rollback({ message }) {
      const record = await readRecord(home);
      const isOurs = record.current?.digest === release.sha256;
      const back = isOurs ? rolledBack(record, message) : record;
      if (isOurs) await writeRecord(home, back);
      isInEffect = isRunning(back);
      // Written to the journal with the next step.
      notes['back'] = true;
    },
    async resume(step) {
      if (step === 'download' || step === 'install' || runs) return;
      const record = await readRecord(home);
      if (notes['back'] !== true && record.taken_back?.digest === release.sha256) throw failureOf(record);
    },
  };
}

async function restart(self: RunningAgent, { stopping }: OrderContext): Promise<never> {
  self.restart();
  if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  throw new Stopped();
}

/** Throws Stopped for a failure while the agent exits: the step runs again on the next start. */
const unlessStopped = <T>({ stopping }: OrderContext, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw stopping.aborted ? new Stopped() : error;
  });

/** Reads the version. A file that is not an agent, or does not start here, fails before anything takes effect. */
async function versionOf(file: string, task: OrderContext): Promise<string> {
  const { code, how, text, tail } = await runCommand({
    command: process.execPath,
    args: [file, '--version'],
    cwd: dirname(file),
    environment: {},
    timeoutMs: versionTimeoutMs,
    signal: task.interrupted,
    onLine: () => undefined,
  });
  task.interrupted.throwIfAborted();
  const version = tail.map((line) => /^fleet-agent\/(\S+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  if (code === 0 && version !== undefined) return version;
  const first = code === 0 ? 'it does not print its version like an agent' : text;
  const message = withTail(`asked for its version, ${first}`, tail, limits.maxReportMessageBytes);
  throw new StepFailed(how === 'timed_out' ? 'timed_out' : 'install_failed', message);
}

/** Keeps only the agent in effect, the previous one and the coming one. */
async function discardOthers(home: string, { current, previous }: UpdateRecord, coming: string): Promise<void> {
  const kept = [current?.digest, previous?.digest, coming];
  for (const name of await readdir(home))
    if (/^[0-9a-f]{64}$/.test(name) && !kept.includes(name)) await discard(`${home}/${name}`);
}
