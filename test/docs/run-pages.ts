import { documentsIn, reasonNotToRun, blocksOf, type Block, type Document } from '../support/documents.ts';
import { testWith } from '../support/tools.ts';
import { deviations } from './deviations.ts';
import { startPreparedPlace } from './docs-place.ts';
import { follow } from './run-docs.ts';

/** The folders whose commands are run. Decisions describe what was, and examples have tests of their own. */
const folders = ['docs/tutorials', 'docs/how-to', 'docs/reference', 'docs/explanation'];

/** The pages whose commands are run. */
export const pages: Document[] = folders.flatMap((folder) => documentsIn(folder, '.md'));

/** Blocks that the reader of a page types: marked as such, or with prompts. */
export const typedBlocksOf = (page: Document): Block[] =>
  blocksOf(page).filter(({ language, text }) => language === 'sh' || text.startsWith('$ '));

/** A test for each page of the folder with commands to run, in a place of its own. */
export function testPages(folder: string, isIncluded: (name: string) => boolean = () => true): void {
  for (const page of pages) {
    const name = page.path.slice(folder.length + 1);
    if (!page.path.startsWith(`${folder}/`) || !isIncluded(name)) continue;
    const blocks = typedBlocksOf(page);
    const own = deviations[page.path] ?? {};
    if (blocks.every((block) => reasonNotToRun(block) !== undefined)) continue;
    testWith(...(own.needs ?? []))(`the commands of ${page.path} do what the page says`, async () => {
      await using prepared = await startPreparedPlace();
      await follow(prepared.reader, blocks, own, prepared.place);
    });
  }
}
