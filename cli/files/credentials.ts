import { readToml, removeFile, writeToml } from './toml-file.ts';

/** The data that `cli login` saves, in credentials.toml or in a profile's file. */
export interface Credentials {
  token: string | undefined;
  baseUrl: string | undefined;
}

/** Undefined if the file is missing. Throws TomlFileError if it is unusable. */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  const table = await readToml(path);
  return table && { token: text(table['token']), baseUrl: text(table['base_url']) };
}

export async function writeCredentials(path: string, token: string, baseUrl: string): Promise<void> {
  await writeToml(path, { token, base_url: baseUrl });
}

/** True if there was a token. */
export const removeCredentials = (path: string) => removeFile(path);

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
