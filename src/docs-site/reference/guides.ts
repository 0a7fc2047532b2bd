import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type RequestHandler } from 'express';
import { html, type Html } from '../../platform/http/html.ts';
import { plainDocument, serveAsset, serveDocument } from './docs-page.ts';
import { asWritten, inline, markdown } from './markdown.ts';

const root = '/docs/guides';
/** Files that are served unchanged. Markdown becomes a page; other files in the folder are not served. */
const plainFiles = new Set(['.cfg', '.conf', '.png', '.py', '.service']);

interface Guide {
  title: string;
  summary: string; // the first sentence
  body: string; // Markdown without the title
}

const nameOf = (file: string) => file.replace(/\.md$/, '');
const addressOf = (file: string) => `${root}/${nameOf(file)}`;

function readGuide(text: string): Guide {
  const [, title = '', body = ''] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  const [paragraph = ''] = body.trim().split('\n\n');
  const [summary = ''] = paragraph.replaceAll('\n', ' ').split(/(?<=\.) /);
  return { title, summary: summary.startsWith('#') ? '' : summary, body };
}

/** Links between files become links to their pages; links to files that are not served become text. */
const resolver = (files: ReadonlySet<string>, from: string) => (target: string) => {
  const { protocol, pathname, hash } = new URL(target, `file:///docs/${from}`);
  const file = decodeURIComponent(pathname).replace(/^\/docs\//, '');
  return protocol === 'file:' && !/^[/#]/.test(target) && files.has(file)
    ? `${addressOf(file)}${hash}`
    : asWritten(target);
};

const guidePage = ({ title, body }: Guide, resolve: (target: string) => string | undefined): string =>
  plainDocument(title, root, markdown(body, resolve));

function indexPage(guides: ReadonlyMap<string, Guide>, files: readonly string[]): string {
  const byTitle = [...guides].sort(([, one], [, other]) => one.title.localeCompare(other.title, 'en'));
  const isDecision = ([file]: [string, Guide]) => file.startsWith('decisions/');
  const entry = ([file, { title, summary }]: [string, Guide]): Html =>
    html`<li><a href="${addressOf(file)}">${title}</a>${summary === '' ? undefined : html`: ${inline(summary)}`}</li>`;
  return plainDocument(
    'Guides',
    root,
    html`<p>How to use the service, its agent and its client.</p>
      <ul class="entries">
        ${byTitle.filter((each) => !isDecision(each)).map(entry)}
      </ul>
      <h2 id="examples"><a href="#examples">Examples</a></h2>
      <ul class="entries">
        ${files
          .filter((file) => file.startsWith('examples/'))
          .map((file) => html`<li><a href="${addressOf(file)}">${file.slice('examples/'.length)}</a></li>`)}
      </ul>
      <h2 id="decisions"><a href="#decisions">Decisions</a></h2>
      <p>Design decisions and their reasons.</p>
      <ul class="entries">
        ${[...guides].filter(isDecision).map(([file, { title }]) => html`<li><a href="${addressOf(file)}">${title}</a></li>`)}
      </ul>`,
  );
}

/** The handlers of each address below `/docs/guides`; the index has the empty name. */
async function readGuides(docsDir: string): Promise<Map<string, RequestHandler>> {
  const found = (await readdir(docsDir, { recursive: true })).sort();
  const files = found.filter((file) => extname(file) === '.md' || plainFiles.has(extname(file)));
  const known = new Set(files);
  const guides = new Map<string, Guide>();
  for (const file of files)
    if (file.endsWith('.md')) guides.set(file, readGuide(await readFile(join(docsDir, file), 'utf8')));
  const handlers = files.map((file): [string, RequestHandler] => {
    const guide = guides.get(file);
    const serve = guide ? serveDocument(() => guidePage(guide, resolver(known, file))) : serveAsset(docsDir, file);
    return [nameOf(file), serve];
  });
  return new Map([...handlers, ['', serveDocument(() => indexPage(guides, files))]]);
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
    const serve = (await handlers()).get(request.path.slice(root.length + 1));
    if (serve) await serve(request, response, next);
    else next();
  });
  return router;
}
