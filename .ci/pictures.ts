/**
 * `npm run pictures`: the pictures of docs/pictures/, from the real product. Names of parts make only those:
 * `npm run pictures -- demo ui`. CONTRIBUTING.md says what it needs.
 */
import { recordDemo } from './pictures/demo.ts';
import { picturePortal } from './pictures/portal.ts';
import { pictureReference } from './pictures/reference.ts';
import { pictureRobot } from './pictures/robot.ts';
import { pictureInterface } from './pictures/ui.ts';

const parts: Readonly<Record<string, () => Promise<void>>> = {
  demo: recordDemo,
  ui: pictureInterface,
  reference: pictureReference,
  portal: picturePortal,
  robot: pictureRobot,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`unknown part "${unknown.join('", "')}". Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
for (const [name, make] of Object.entries(parts)) if (names.length === 0 || names.includes(name)) await make();
