import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAgent, type RunningAgent } from './agent-process.ts';
import { bin, signedInHome, startHome, type Home } from './cli.ts';
import { startCutter, type Cutter } from './cutting-proxy.ts';
import { factories } from './factories.ts';
import { startTmux, type Tmux } from './tmux.ts';
import { together } from './together.ts';
import { startIsolatedWorld, type World } from './world.ts';

/** A service, a robot whose agent opens shells, and a signed-in user; the last two are processes. */
export interface ShellScene extends AsyncDisposable {
  world: World;
  agent: RunningAgent;
  /** Home of the operator. */
  home: Home;
  /** Between the operator and the shells. */
  cutter: Cutter;
  /** The operator at a terminal, in which `cli` is the client and the prompt is `local>`. */
  person(env?: Record<string, string>): Promise<Tmux>;
}

/** The robot is `amr-007`. `flags` of its agent: with shells by default. */
export const startShellScene = ({ flags = ['--allow-shell'] } = {}): Promise<ShellScene> =>
  together(async (own) => {
    const world = own(await startIsolatedWorld());
    const cutter = own(await startCutter(world.url, (head) => head.includes('/shell/ws')));
    const robot = own(await startHome());
    const { value } = await factories(world).key();
    const link = ['--backend-url', world.url, '--enrollment-key', value, '--name', 'amr-007'];
    const agent = own(startAgent(robot, [...flags, ...link]));
    await agent.sees('Connected to');
    const home = own(await signedInHome({ ...world, url: cutter.url }));
    const person = (env: Record<string, string> = {}) =>
      personAt(home, cutter.url, { SERVICE_TOKEN: world.orgToken, ...env });
    return { world, agent, home, cutter, person };
  });

/** A user at a terminal, in which `cli` is the client of that home. */
export async function personAt(home: Home, url: string, env: Record<string, string>): Promise<Tmux> {
  const folder = join(home.path, 'bin');
  await mkdir(folder, { recursive: true });
  const cli = join(folder, 'cli');
  await writeFile(cli, `#!/bin/sh\nexec '${process.execPath}' '${bin}' --base-url '${url}' "$@"\n`);
  await chmod(cli, 0o755);
  const person = await startTmux({ PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: home.path, ...env });
  await person.type("PS1='local> '\r");
  await person.sees(/^local>$/m);
  return person;
}
