import { documentsIn, reasonNotToRun, blocksOf, type Block, type Document } from '../support/documents.ts';
import { testWith } from '../support/tools.ts';
import { deviations, type PageDeviations } from './deviations.ts';
import { startPreparedPlace } from './docs-place.ts';
import { startNewcomer } from './docs-user.ts';
import { follow, nowhere } from './run-docs.ts';

/** The folders whose commands are run. Decisions describe what was, and examples have tests of their own. */
const folders = ['docs/tutorials', 'docs/how-to', 'docs/reference', 'docs/explanation'];

/** The pages whose commands are run. */
export const pages: Document[] = folders.flatMap((folder) => documentsIn(folder, '.md'));

/** Blocks that the reader of a page types: marked as such, or with prompts. */
export const typedBlocksOf = (page: Document): Block[] =>
  blocksOf(page).filter(({ language, text }) => language === 'sh' || text.startsWith('$ '));

/** Types what the page has its reader type. */
async function run(blocks: readonly Block[], { startsWithNothing, simulates, ...own }: PageDeviations): Promise<void> {
  if (startsWithNothing) {
    await using newcomer = await startNewcomer();
    const { reader, url, home, startsService } = newcomer;
    const instead = { ...own.instead, 'npm ci && npm start': startsService };
    const place = { 'http://127.0.0.1:8080': url, '/home/kim': home };
    await follow(reader, blocks, { ...own, instead }, { ...nowhere, instead: place });
    return;
  }
  await using prepared = await startPreparedPlace();
  if (simulates !== undefined) await prepared.simulate(simulates);
  await follow(prepared.reader, blocks, own, prepared.place);
}

/** A test for each page of the folder with commands to run, in a place of its own. */
export function testPages(folder: string, isIncluded: (name: string) => boolean = () => true): void {
  for (const page of pages) {
    const name = page.path.slice(folder.length + 1);
    if (!page.path.startsWith(`${folder}/`) || !isIncluded(name)) continue;
    const blocks = typedBlocksOf(page);
    const own = deviations[page.path] ?? {};
    if (blocks.every((block) => reasonNotToRun(block) !== undefined)) continue;
    testWith(...(own.needs ?? []))(`the commands of ${page.path} do what the page says`, async () => {
      await run(blocks, own);
    });
  }
}
