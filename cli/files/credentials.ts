import { readToml, removeFile, writeToml } from './toml-file.ts';

/** What `cli login` keeps, in credentials.toml or in the file of a profile. */
export interface Credentials {
  token: string | undefined;
  baseUrl: string | undefined;
}

/** Undefined if there is no such file. Throws TomlFileError if it is there and cannot be used. */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  const table = await readToml(path);
  return table && { token: text(table['token']), baseUrl: text(table['base_url']) };
}

export async function writeCredentials(path: string, token: string, baseUrl: string): Promise<void> {
  await writeToml(path, { token, base_url: baseUrl });
}

/** True if somebody was signed in. */
export const removeCredentials = (path: string) => removeFile(path);

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
