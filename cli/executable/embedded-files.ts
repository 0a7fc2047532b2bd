import { registerHooks } from 'node:module';
import { getAsset, getAssetKeys } from 'node:sea';

/** Where the files inside the executable seem to be. Nothing is read or written there. */
export const embeddedFolder = '/cli/';
const embeddedUrl = `file://${embeddedFolder}`;

/** Packages that are not in the bundles, and the files that replace them, also for agents delivered as releases. */
const packages = new Map([
  ['@lydell/node-pty/requireBinary.js', 'native-pty.js'],
  ['jq-wasm', 'jq-wasm.js'],
]);

/** Loads the files inside the executable without writing them to disk, whether by `require` or by `import`. */
export function useEmbeddedFiles(): void {
  const names = new Set(getAssetKeys());
  registerHooks({
    resolve(specifier, context, next) {
      const isInside = specifier.startsWith('./') && context.parentURL?.startsWith(embeddedUrl);
      const name = packages.get(specifier) ?? (isInside ? specifier.slice('./'.length) : '');
      return names.has(name) ? { url: embeddedUrl + name, shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      if (!url.startsWith(embeddedUrl)) return next(url, context);
      const name = url.slice(embeddedUrl.length);
      const format = name.endsWith('.mjs') ? 'module' : 'commonjs';
      return { format, source: getAsset(name, 'utf8'), shortCircuit: true };
    },
  });
}
