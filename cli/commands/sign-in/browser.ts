import { spawn } from 'node:child_process';
import { childEnvironment, type Environment } from '../../command-line/config.ts';

/** The program that opens an address in the person's browser, with its arguments before the address. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether a browser that opens on this machine would be seen by who typed the command. */
export function hasBrowser(
  { isOverSsh, hasDisplay }: Pick<Environment, 'isOverSsh' | 'hasDisplay'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return !isOverSsh && (platform in openers || hasDisplay);
}

/** Asks the desktop to show the address; `onFailure` is called if that cannot be asked. No shell reads the address. */
export function openBrowser(url: string, onFailure: () => void, platform: NodeJS.Platform = process.platform): void {
  const [program = '', ...args] = openers[platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: childEnvironment() });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== null && code !== 0) onFailure();
  });
  child.unref(); // a browser that was started by it outlives the command
}
