/**
 * `npm run pictures`: the pictures of docs/pictures/, from the built service with the demo.
 *
 *   npm run pictures -- demo   only a part: demo, screens
 */
import { recordDemo } from './pictures/demo.ts';
import { drawScreens } from './pictures/screens.ts';
import { startProduct, type Product } from './pictures/product.ts';

const folder = new URL('../docs/pictures/', import.meta.url);
const parts: Readonly<Record<string, (product: Product, folder: URL) => Promise<void>>> = {
  demo: recordDemo,
  screens: drawScreens,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

await using product = await startProduct();
for (const [name, make] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await make(product, folder);
