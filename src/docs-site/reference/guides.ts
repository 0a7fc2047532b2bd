import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type RequestHandler } from 'express';
import { documentHeaders, guidePolicy, serveAsset, serveDocument } from './docs-page.ts';
import {
  guidePage,
  guidesRoot as root,
  indexPage,
  maxQueryCharacters,
  refusalPage,
  resultsPage,
  searchPath,
  type GuideEntry,
  type GuideGroup,
} from './guide-pages.ts';
import { createGuideSearch, wordsOf, type GuideSearch } from './guide-search.ts';
import { asWritten, markdown } from './markdown.ts';
import { movedGuides } from './moved-guides.ts';

/** Files that are served unchanged. Markdown becomes a page; other files in the folder are not served. */
const plainFiles = new Set(['.cfg', '.conf', '.ini', '.json', '.png', '.py', '.service', '.svg', '.yaml', '.yml']);
const pictures = new Set(['.png', '.svg']);

/** The folders of the documentation, in the order of the index. Pictures have no entry there. */
const folders = [
  { id: 'tutorials', title: 'Tutorials', intro: 'Learn the service step by step.', sortBy: 'file' },
  { id: 'how-to', title: 'How-to guides', intro: 'Carry out one task.', sortBy: 'title' },
  { id: 'runbooks', title: 'Runbooks', intro: 'Act on an alert.', sortBy: 'title' },
  { id: 'reference', title: 'Reference', intro: 'Look up a setting, a format or a limit.', sortBy: 'title' },
  { id: 'explanation', title: 'Explanation', intro: 'Understand how the service works.', sortBy: 'title' },
  { id: 'examples', title: 'Examples', intro: 'Files to start from.', sortBy: 'title' },
  { id: 'decisions', title: 'Decisions', intro: 'Design decisions and their reasons.', sortBy: 'file' },
] as const;

interface Guide {
  title: string;
  summary: string; // the first sentence
  body: string; // Markdown without the title
}

const nameOf = (file: string) => file.replace(/\.md$/, '');
const addressOf = (file: string) => `${root}/${nameOf(file)}`;
const folderOf = (file: string) => file.split('/')[0] ?? '';
const firstSentence = (paragraph = '') =>
  paragraph
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) /)[0] ?? '';

function readGuide(text: string): Guide {
  const [, title = '', body = ''] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  const summary = firstSentence(body.trim().split('\n\n')[0]);
  return { title, summary: summary.startsWith('#') ? '' : summary, body };
}

/** An example begins with a comment or a docstring that describes it; JSON has a description. */
function exampleSummary(text: string): string {
  if (text.startsWith('{')) return firstSentence((JSON.parse(text) as { description?: string }).description);
  const [line = ''] = text.replace(/^#!.*\n/, '').split('\n');
  return firstSentence(line.replaceAll(/^(?:#|""")\s*|"""$/g, ''));
}

/** Links between files become links to their pages; links to files that are not served become text. */
const resolver = (files: ReadonlySet<string>, from: string) => (target: string) => {
  const { protocol, pathname, hash } = new URL(target, `file:///docs/${from}`);
  const file = decodeURIComponent(pathname).replace(/^\/docs\//, '');
  return protocol === 'file:' && !/^[/#]/.test(target) && files.has(file)
    ? `${addressOf(file)}${hash}`
    : asWritten(target);
};

/** Each word costs a few milliseconds, for callers without a token. */
const maxWords = 8;

/** Undefined if the guides can be searched for this. */
function refusalOf(query: string): { status: number; message: string } | undefined {
  const count = wordsOf(query).length;
  if (query.length > maxQueryCharacters)
    return { status: 400, message: `The query has more than ${maxQueryCharacters} characters. Use fewer words.` };
  // What URLSearchParams makes of other encodings.
  if (query.includes('\uFFFD')) return { status: 400, message: 'The query is not valid UTF-8. Type it again.' };
  if (count > maxWords) return { status: 400, message: `The query has more than ${maxWords} words. Use fewer words.` };
  if (count === 0)
    return { status: 200, message: 'Type one or more words. The search finds sections that have all of them.' };
  return undefined;
}

const serveSearch =
  (search: () => Promise<GuideSearch>): RequestHandler =>
  async (request, response) => {
    const { searchParams } = new URL(request.url, 'http://service');
    const query = searchParams
      .getAll('q')
      .join(' ')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim();
    const refusal = refusalOf(query);
    const page = refusal ? refusalPage(refusal.message) : resultsPage(query, (await search()).find(query));
    response
      .status(refusal?.status ?? 200)
      .set({ ...documentHeaders(guidePolicy), 'X-Robots-Tag': 'noindex' })
      .end(page);
  };

/** The handlers of each address below `/docs/guides`; the index has the empty name. */
async function readGuides(docsDir: string): Promise<Map<string, RequestHandler>> {
  const found = (await readdir(docsDir, { recursive: true })).sort();
  const files = found.filter((file) => extname(file) === '.md' || plainFiles.has(extname(file)));
  const known = new Set(files);
  const guides = new Map<string, Guide>();
  const entries = new Map<string, GuideEntry>();
  for (const file of files) {
    if (pictures.has(extname(file))) continue;
    const text = await readFile(join(docsDir, file), 'utf8');
    const guide = extname(file) === '.md' ? readGuide(text) : undefined;
    if (guide) guides.set(file, guide);
    const { title, summary } = guide ?? { title: file.slice(file.indexOf('/') + 1), summary: exampleSummary(text) };
    entries.set(file, { title, summary, address: addressOf(file) });
  }
  const groups = folders.map(({ sortBy, ...folder }): GuideGroup => {
    const own = [...entries].filter(([file]) => folderOf(file) === folder.id).map(([, entry]) => entry);
    if (sortBy === 'title') own.sort((one, other) => one.title.localeCompare(other.title, 'en'));
    return { ...folder, entries: own };
  });
  const pageOf = (file: string, { title, body }: Guide) => {
    const group = groups.find(({ id }) => id === folderOf(file));
    return guidePage(title, markdown(body, resolver(known, file)), group, addressOf(file));
  };
  let search: Promise<GuideSearch> | undefined;
  const createSearch = () =>
    createGuideSearch(
      [...guides].map(([file, { title, body }]) => ({
        title,
        body,
        address: addressOf(file),
        weight: folderOf(file) === 'decisions' ? 0.25 : 1,
      })),
    );
  const handlers = files.map((file): [string, RequestHandler] => {
    const guide = guides.get(file);
    return [nameOf(file), guide ? serveDocument(() => pageOf(file, guide), guidePolicy) : serveAsset(docsDir, file)];
  });
  return new Map([
    ...handlers,
    ['', serveDocument(() => indexPage(groups), guidePolicy)],
    [searchPath.slice(root.length + 1), serveSearch(() => (search ??= createSearch()))],
  ]);
}

/**
 * `/docs/guides`: the documentation of the repository, so that every link of the contract works on the service. Read on
 * the first request.
 */
export function guidePages(docsDir: string): express.Router {
  let made: ReturnType<typeof readGuides> | undefined;
  const handlers = () =>
    (made ??= readGuides(docsDir).catch((error: unknown) => {
      made = undefined; // the next request retries
      throw error;
    }));
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get([root, `${root}/{*path}`], async (request, response, next) => {
    const name = request.path.slice(root.length + 1);
    const serve = (await handlers()).get(name);
    const current = movedGuides.get(name);
    if (serve) await serve(request, response, next);
    else if (current !== undefined) response.set('Cache-Control', 'no-cache').redirect(301, `${root}/${current}`);
    else next();
  });
  return router;
}
