/**
 * Loaded into a service by NODE_OPTIONS: what it tells of its memory is what it holds. What nobody needs any more counts until V8 collects it,
 * and a service that stands still gives V8 no cause to.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const { memoryUsage } = process;
process.memoryUsage = Object.assign(() => {
  collect();
  return memoryUsage();
}, memoryUsage);
