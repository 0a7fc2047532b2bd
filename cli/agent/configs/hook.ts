import { limits } from '../../../generated/protocol.js';
import { runCommand } from '../orders/command.ts';
import { StepFailed, Stopped, type OrderContext } from '../orders/handler.ts';
import { withTail } from '../orders/text.ts';

export interface HookSettings {
  /** Run by the shell, with the namespaces as `$@`. A command without shell syntax gets them as arguments. */
  command: string;
  /** Environment of every child process; holds no token. */
  environment: Readonly<Record<string, string>>;
}

interface HookCall {
  folder: string;
  namespaces: readonly string[];
  phase: 'apply' | 'rollback';
}

const timeoutMs = 120_000;

/**
 * Notifies the robot's programs that files have changed. Throws StepFailed if the hook does not exit with 0, Stopped if
 * the agent exits first.
 */
export async function runHook(
  { command, environment }: HookSettings,
  call: HookCall,
  task: OrderContext,
): Promise<void> {
  const { order, stopping, say } = task;
  const end = await runCommand({
    command: '/bin/sh',
    args: ['-c', isPlain(command) ? `${command} "$@"` : command, 'on-config', ...call.namespaces],
    environment: {
      ...environment,
      SVC_ORDER_ID: order.order_id,
      SVC_DEPLOYMENT_IDS: order.deployments.join(' '),
      SVC_CONFIG_DIR: call.folder,
      SVC_PHASE: call.phase,
    },
    timeoutMs,
    signal: stopping,
    onLine: (line) => say('on-config', line),
  });
  if (end.how === 'stopped') throw new Stopped();
  if (end.code === 0) return;
  throw new StepFailed('hook_failed', withTail(`on-config: ${end.text}`, end.tail, limits.maxReportMessageBytes));
}

const isPlain = (command: string) => /^[\w\s./:=@%+,-]+$/.test(command);
