import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const pathOf = (name: string) => fileURLToPath(new URL(`../../docs/pictures/${name}`, import.meta.url));

export async function savePicture(name: string, content: string | Buffer): Promise<void> {
  await writeFile(pathOf(name), content);
  console.log(`docs/pictures/${name}  ${Math.ceil(Buffer.byteLength(content) / 1024)} KiB`);
}
