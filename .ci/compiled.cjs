'use strict';
/**
 * Stands where a file of the client is looked for, as `run.js`, and takes the code beside it, `run.code.js`, with what V8 made of it when it was
 * built, `run.code.cache`: to read half a megabyte of JavaScript takes longer than most of what a line of the client does. V8 itself refuses
 * what another version of Node made; V8 compares the code by its length alone, so a cache that is older than the code is left here.
 */
const { readFileSync, statSync } = require('node:fs');
const { wrap, wrapper } = require('node:module');
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
  module.exports = require(code);
}
