import { spawn } from 'node:child_process';
import { childEnvironment, type Environment } from '../../command-line/config.ts';

/** The program that opens a URL in the user's browser, and its arguments before the URL. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether the user of this command would see a browser that opens on this machine. */
export function hasBrowser(
  { isOverSsh, hasDisplay }: Pick<Environment, 'isOverSsh' | 'hasDisplay'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return !isOverSsh && (platform in openers || hasDisplay);
}

/** Asks the desktop to open the URL; calls `onFailure` if that fails. No shell parses the URL. */
export function openBrowser(url: string, onFailure: () => void, platform: NodeJS.Platform = process.platform): void {
  const [program = '', ...args] = openers[platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: childEnvironment() });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== null && code !== 0) onFailure();
  });
  child.unref(); // a browser started this way outlives the command
}
