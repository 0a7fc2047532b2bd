/** Writes dist/packages.json: what the built files contain of other packages, and what they load from beside them. */
import { writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';

/** The folder of a package, from that of ours, in whatever folder its files are: `node_modules/express`. */
const folderOf = /(?<=^|\/)node_modules\/(?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*/;

/** Of one build: the folders of the packages that it contains, and the packages that it loads. */
function packagesOf({ inputs, outputs }) {
  const bundled = Object.keys(inputs).flatMap((path) => folderOf.exec(path)?.[0] ?? []);
  const loaded = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith('.') && !isBuiltin(path))
    .map(({ path }) => path);
  return { bundled, loaded };
}

/** `copied`: folders of packages from which files were copied. */
export async function writePackages(results, copied) {
  const found = results.map(({ metafile }) => packagesOf(metafile));
  const bundled = [...copied, ...found.flatMap((each) => each.bundled)];
  const loaded = found.flatMap((each) => each.loaded);
  const text = JSON.stringify({ bundled: [...new Set(bundled)].sort(), loaded: [...new Set(loaded)].sort() }, null, 2);
  await writeFile(new URL('../dist/packages.json', import.meta.url), `${text}\n`);
}
