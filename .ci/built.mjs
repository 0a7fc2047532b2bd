/** Before `npm start` and the command of the host: what was not built is told in a sentence, where Node would show a stack. */
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/server/main.js', import.meta.url))) {
  console.error('The service is not built here: run "npm run build".');
  process.exitCode = 1;
}
