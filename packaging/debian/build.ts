/** `npx tsx packaging/debian/build.ts <folder>`: writes the Debian packages of this build. Needs dpkg-deb. */
import { resolve } from 'node:path';
import { buildDebianPackages } from './packages.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npx tsx packaging/debian/build.ts <folder>');
  process.exitCode = 2;
} else for (const path of await buildDebianPackages(resolve(folder))) console.log(path);
