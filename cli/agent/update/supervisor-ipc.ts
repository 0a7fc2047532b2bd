/**
 * The channel between an agent and the process that supervises it; agents and supervisors of all versions keep to it:
 *
 * - The supervisor sets `SERVICE_AGENT_SUPERVISOR` and gives a channel of Node's (IPC). Its end, by the death of the supervisor or on purpose, asks
 *   the agent to end in order. Unlike a signal it can come beside the same signal from systemd or a terminal, which is then still the first.
 * - The agent sends `running` once it is the robot's agent: from then on the line that started it must not enroll again.
 * - The agent ends with `restartCode` when what is in effect is to be started, itself or another one.
 */
export const restartCode = 86;

export interface RunningMessage {
  type: 'running';
}

/** Until the agent listens itself: nothing has begun yet that would have to end in order. */
const endWithoutSupervisor = (): never => process.exit(0);

/** Ends this process with its supervisor from now on. */
export function attachToSupervisor(): void {
  // The channel may have come to its end while this program was being loaded.
  if (!process.connected) endWithoutSupervisor();
  process.once('disconnect', endWithoutSupervisor);
  // A listener keeps the process; the channel alone is no reason to stay.
  process.channel?.unref();
}

/** Tells the supervisor that the agent runs. Its disconnect no longer ends this process, but calls `onDisconnect`. Without a supervisor nothing happens. */
export function reportRunning(onDisconnect: () => void): void {
  process.off('disconnect', endWithoutSupervisor);
  process.once('disconnect', onDisconnect);
  process.channel?.unref();
  const message: RunningMessage = { type: 'running' };
  process.send?.(message, undefined, undefined, () => undefined);
}
