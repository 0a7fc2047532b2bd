import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';

/** The text of another file of the built client: beside this one, or inside the executable. */
export const ownFile = (name: string): string =>
  isSea() ? getAsset(name, 'utf8') : readFileSync(join(__dirname, name), 'utf8');
