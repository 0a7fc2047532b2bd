'use strict';
/**
 * Stands where a file of the client is looked for, as `run.js`, and takes the code beside it, `run.code.js`, with what V8 made of it when it was
 * built, `run.code.cache`: to read half a megabyte of JavaScript takes longer than most of what a line of the client does. V8 itself refuses
 * what another version of Node made; V8 compares the code by its length alone, so a cache that is older than the code is left here.
 */
const { readFileSync, statSync } = require('node:fs');
const { enableCompileCache, wrap, wrapper } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const code = __filename.replace(/js$/, 'code.js');
const cache = __filename.replace(/js$/, 'code.cache');

function cachedData() {
  try {
    return statSync(cache).mtimeMs >= statSync(code).mtimeMs ? readFileSync(cache) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lets Node 22 and newer keep what V8 makes of the code: the released package has none, as it is for any version of Node. In a folder of
 * the user, since who can write there can run code as whoever reads it.
 */
function keepCompiled() {
  const { HOME, XDG_CACHE_HOME: caches = HOME && join(HOME, '.cache') } = process.env;
  if (caches) enableCompileCache?.(join(caches, 'service', 'compiled'));
}

// The places of a stack are translated by Node for what it has loaded itself.
const made = process.sourceMapsEnabled ? undefined : cachedData();
if (made) {
  // ASCII, as esbuild writes it.
  const script = new Script(wrap(readFileSync(code, 'latin1')), {
    filename: code,
    cachedData: made,
    columnOffset: -wrapper[0].length,
  });
  script.runInThisContext().call(exports, exports, require, module, code, __dirname);
} else {
  keepCompiled();
  module.exports = require(code);
}
