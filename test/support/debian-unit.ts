import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A unit without systemd: its settings and its line, for a shell in the root where it is installed. */
export interface Unit {
  /** Runs what decides whether it is started at all. */
  condition: string;
  /** Becomes its process. */
  start: string;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Reads the installed unit as systemd does: its user, environment, files of settings, and lines. */
export async function readUnit(root: string, name: string): Promise<Unit> {
  const text = await readFile(join(root, `lib/systemd/system/${name}.service`), 'utf8');
  const values = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const settings = values('Environment').flatMap((line) => line.split(' '));
  for (const file of values('EnvironmentFile')) {
    const content = await readFile(join(root, file.replace(/^-/, '')), 'utf8').catch((error: unknown) => {
      if (file.startsWith('-')) return '';
      throw error;
    });
    settings.push(...content.split('\n').filter((line) => /^\w+=/.test(line)));
  }
  const [user = 'root'] = values('User');
  const [directory = '/'] = values('WorkingDirectory');
  // Words of variables are split, as systemd does.
  const asUser = (line: string) =>
    `cd ${directory}; exec env -i PATH="$PATH" ${settings.map(quoted).join(' ')} setpriv --reuid ${user} --regid ${user} --init-groups sh -c ${quoted(`exec ${line}`)}`;
  return { condition: asUser(values('ExecCondition')[0] ?? 'true'), start: asUser(values('ExecStart')[0] ?? '') };
}
