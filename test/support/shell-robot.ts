import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startAgent } from '../../cli/agent/agent.ts';
import { accountOf } from '../../cli/agent/shell/account.ts';
import type { ShellLimits } from '../../cli/agent/shell/shell-manager.ts';
import { robotsOf } from './robots.ts';
import { tempDir } from './temp-dir.ts';
import type { World } from './world.ts';

export interface ShellRobotOptions {
  user?: string | undefined;
  killsAll?: boolean;
  limits?: Partial<ShellLimits>;
  /** The service's URL for the agent; default: its real one. */
  backendUrl?: string;
}

export interface ShellRobot extends AsyncDisposable {
  id: string;
  /** Ends the agent in order. */
  stop(): Promise<void>;
  /** The service's log lines about the agent. */
  said(): Promise<string[]>;
}

/** The real agent of a robot in this process, which opens shells. */
export async function startShellRobot(
  world: World,
  { user, killsAll = false, limits = {}, backendUrl = world.url }: ShellRobotOptions = {},
): Promise<ShellRobot> {
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll(
    `amr-${Math.random().toString(36).slice(2)}`,
  );
  const folder = await tempDir();
  const account = await accountOf(user);
  if (user === undefined) {
    // The current user's own login scripts take time, and a kill during them may delay all later ones.
    account.home = join(folder.path, 'home');
    await mkdir(account.home);
  }
  let isUp: () => void = () => undefined;
  const up = new Promise<void>((resolve) => (isUp = resolve));
  const agent = await startAgent(
    {
      backendUrl,
      token,
      version: 'test',
      stateDirectory: join(folder.path, 'state'),
      configDirectory: folder.path,
      shells: { account, killsAll, limits },
      lanes: {
        config: { folder: join(folder.path, 'config'), onConfig: undefined, environment: {} },
        releases: { artifacts: join(folder.path, 'artifacts'), folder: join(folder.path, 'releases') },
      },
      spoolMegabytes: 2,
      logFiles: [],
      commands: [],
      journalUnits: undefined,
      environment: {},
      socketOptions: {},
    },
    { status: ({ kind }) => kind === 'up' && isUp(), told: () => undefined },
  );
  await up;
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= agent.stop());
  return {
    id,
    stop,
    async said() {
      const { items } = (await world.call('GET', `/api/robots/${id}/logs?source=agent&limit=1000`)).body;
      return (items as { message: string }[]).map(({ message }) => message);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
