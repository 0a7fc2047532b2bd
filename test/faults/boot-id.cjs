/** Loaded into an agent by NODE_OPTIONS: what it reads as the boot of its machine is TEST_BOOT_ID. Everything else stays as it is. */
const files = require('node:fs/promises');
const { readFile } = files;
files.readFile = (path, ...rest) =>
  path === '/proc/sys/kernel/random/boot_id'
    ? Promise.resolve(`${process.env.TEST_BOOT_ID}\n`)
    : readFile(path, ...rest);
