/**
 * Loaded into the programs of the tests by NODE_OPTIONS: their account's home is the HOME that they were given. Login shells of an agent then run no
 * profile of whoever runs the tests, which takes its time and may leave a lock behind when its shell is killed.
 */
const os = require('node:os');
const { syncBuiltinESMExports } = require('node:module');
const { userInfo } = os;
os.userInfo = (options) => ({ ...userInfo(options), homedir: process.env.HOME });
syncBuiltinESMExports();
