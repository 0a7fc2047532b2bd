import { join } from 'node:path';
import { readToml, removeFile, writeToml } from './toml-file.ts';

/** What `cli login` keeps. */
export interface Credentials {
  token: string | undefined;
  baseUrl: string | undefined;
}

export const credentialsPath = (configDirectory: string) => join(configDirectory, 'credentials.toml');

/** Undefined if nobody is signed in. Throws TomlFileError if the file is there and cannot be used. */
export async function readCredentials(configDirectory: string): Promise<Credentials | undefined> {
  const table = await readToml(credentialsPath(configDirectory));
  return table && { token: text(table['token']), baseUrl: text(table['base_url']) };
}

export async function writeCredentials(configDirectory: string, token: string, baseUrl: string): Promise<void> {
  await writeToml(credentialsPath(configDirectory), { token, base_url: baseUrl });
}

/** True if somebody was signed in. */
export const removeCredentials = (configDirectory: string) => removeFile(credentialsPath(configDirectory));

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
