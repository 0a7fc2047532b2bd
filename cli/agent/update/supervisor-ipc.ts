/**
 * The channel between an agent and its supervisor. Agents and supervisors of all versions follow these rules:
 *
 * - The supervisor sets `SERVICE_AGENT_SUPERVISOR` and opens a Node IPC channel. When the channel closes, because the
 *   supervisor died or on purpose, the agent exits gracefully. Unlike a signal, this can come together with the same
 *   signal from systemd or a terminal, which then still counts as the first.
 * - The agent sends `running` once it is the robot's agent. From then on, its command line must not enroll again.
 * - The agent exits with `restartCode` to have the agent in effect started, itself or another one.
 */
export const restartCode = 86;

export interface RunningMessage {
  type: 'running';
}

/** Used until the agent has its own listener: nothing has begun yet that needs a graceful exit. */
const endWithoutSupervisor = (): never => process.exit(0);

/** From now on, this process exits with its supervisor. */
export function attachToSupervisor(): void {
  // The channel may have closed while this program was loading.
  if (!process.connected) endWithoutSupervisor();
  process.once('disconnect', endWithoutSupervisor);
  // A listener keeps the process alive; the channel alone must not.
  process.channel?.unref();
}

/**
 * Reports to the supervisor that the agent runs. A disconnect then calls `onDisconnect` instead of ending this process.
 * Does nothing without a supervisor.
 */
export function reportRunning(onDisconnect: () => void): void {
  process.off('disconnect', endWithoutSupervisor);
  process.once('disconnect', onDisconnect);
  process.channel?.unref();
  const message: RunningMessage = { type: 'running' };
  process.send?.(message, undefined, undefined, () => undefined);
}
