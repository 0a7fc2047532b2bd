/** `npx tsx packaging/container/build.ts <name>`: builds the image of the service with podman, under that name. Prints its size. */
import { buildImage, compressedBytes } from './image.ts';

const [tag] = process.argv.slice(2);
if (tag === undefined) {
  console.error('Usage: npx tsx packaging/container/build.ts <name>');
  process.exitCode = 2;
} else {
  await buildImage(tag);
  console.log(`${tag}: ${((await compressedBytes(tag)) / 1e6).toFixed(0)} MB compressed`);
}
