/** `npx tsx packaging/container/build.ts <name>`: builds the image of the service with podman, under that name. */
import { buildImage } from './image.ts';

const [tag] = process.argv.slice(2);
if (tag === undefined) {
  console.error('Usage: npx tsx packaging/container/build.ts <name>');
  process.exitCode = 2;
} else await buildImage(tag);
