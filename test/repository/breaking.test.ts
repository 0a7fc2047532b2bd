import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { announced, releasesOf, unannounced } from '../../.ci/breaking/changelog.ts';
import { compareWithRelease, GateError } from '../../.ci/breaking/comparison.ts';
import type { Document, Operation, Schema } from '../../.ci/breaking/document.ts';
import { breakingChanges } from '../../.ci/breaking/operations.ts';
import { testWith } from '../support/tools.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: Schema) => ({ 'application/json': { schema } });

/** A contract of one operation, with what the parts need for every rule to have something to break. */
function contract() {
  const operation = {
    operationId: 'createSite',
    tags: ['Sites'],
    'x-any-org': true,
    security: [{ bearerAuth: ['operator'] }],
    'x-token-kinds': ['user', 'org'],
    parameters: [ref('parameters', 'Limit'), { name: 'status', in: 'query', schema: { type: 'string' } }],
    requestBody: { required: false, content: json(ref('schemas', 'SiteCreate')) },
    responses: {
      '201': { headers: { ETag: { schema: { type: 'string' } } }, content: json(ref('schemas', 'Site')) },
      '404': { content: {} },
    },
  };
  const siteCreate = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      zip: { type: 'string' },
      kind: { type: 'string', enum: ['indoor', 'outdoor'], default: 'indoor' },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 10 } },
      extra: { type: 'object' },
      closed: { type: 'object', additionalProperties: false },
      target: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  };
  const site = {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'string' },
      name: { type: 'string' },
      created_at: { type: 'string', format: 'date-time' },
      kind: { type: 'string', enum: ['indoor', 'outdoor'] },
      inside: { type: 'array', items: ref('schemas', 'Site') },
      size: { type: 'number' },
    },
  };
  return {
    paths: { '/api/sites': { post: operation as Operation } },
    components: {
      parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } } },
      schemas: { SiteCreate: siteCreate, Site: site } as Record<string, Schema>,
    },
  };
}
type Contract = ReturnType<typeof contract>;

/** The breaking changes that one edit of the contract makes, as `subject: what`. */
function after(
  edit: (parts: { contract: Contract; operation: Operation; request: Schema; reply: Schema }) => void,
): string[] {
  const changed = contract();
  const operation = changed.paths['/api/sites'].post;
  const { SiteCreate: request = {}, Site: reply = {} } = changed.components.schemas;
  edit({ contract: changed, operation, request, reply });
  return breakingChanges({ before: contract(), after: changed }).map(({ subject, what }) => `${subject}: ${what}`);
}

const property = (schema: Schema, name: string): Schema => {
  const found = schema.properties?.[name];
  if (!found) throw new Error(`no property ${name}`);
  return found;
};
const without = (schema: Schema, name: string) => {
  schema.required = schema.required?.filter((other) => other !== name) ?? [];
  schema.properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([other]) => other !== name));
};

const breaks: [title: string, edit: Parameters<typeof after>[0], finding: RegExp][] = [
  ['a path that is gone', ({ contract }) => (contract.paths = {} as never), /^createSite: POST \/api\/sites is gone/],
  [
    'a parameter of a path that is renamed',
    ({ contract, operation }) => (contract.paths = { '/api/{place}': { post: operation } } as never),
    /^createSite: POST \/api\/sites is gone/,
  ],
  [
    'another operationId',
    ({ operation }) => (operation.operationId = 'makeSite'),
    /^createSite: its operationId is makeSite/,
  ],
  [
    'a higher role',
    ({ operation }) => (operation.security = [{ bearerAuth: ['admin'] }]),
    /^createSite: it needs admin/,
  ],
  [
    'another kind of credential',
    ({ operation }) => (operation.security = [{ adminToken: [] }]),
    /bearerAuth is accepted no more/,
  ],
  ['another tag', ({ operation }) => (operation.tags = ['Places']), /^createSite: its tag is Places now, was Sites/],
  [
    'an org that has to be named',
    ({ operation }) => delete operation['x-any-org'],
    /^createSite: a token of several orgs has to name one now/,
  ],
  ['a token kind less', ({ operation }) => (operation['x-token-kinds'] = ['org']), /^createSite: user tokens/],
  [
    'a new required parameter',
    ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query', required: true }),
    /^createSite: parameter query q is required now/,
  ],
  [
    'a parameter that is gone',
    ({ operation }) => operation.parameters?.pop(),
    /^createSite: parameter query status is gone/,
  ],
  [
    'a parameter that moves to a header',
    ({ operation }) => operation.parameters?.splice(1, 1, { name: 'status', in: 'header' }),
    /^createSite: parameter query status is gone/,
  ],
  [
    'a parameter that is required now',
    ({ operation }) => operation.parameters?.splice(1, 1, { name: 'status', in: 'query', required: true }),
    /^createSite: parameter query status is required now/,
  ],
  [
    'a list that a parameter takes otherwise',
    ({ operation }) => operation.parameters?.splice(1, 1, { name: 'status', in: 'query', explode: false }),
    /^createSite: parameter query status is written otherwise: explode/,
  ],
  [
    'another default of a parameter',
    ({ contract }) => Object.assign(contract.components.parameters.Limit.schema, { default: 20 }),
    /^createSite: parameter query limit: default was "open" and is 20/,
  ],
  [
    'a lower maximum of a parameter',
    ({ contract }) => (contract.components.parameters.Limit.schema.maximum = 10),
    /^createSite: parameter query limit: maximum was 1000 and is 10/,
  ],
  [
    'a body that is required now',
    ({ operation }) => (operation.requestBody = { required: true, content: json(ref('schemas', 'SiteCreate')) }),
    /its body is required now/,
  ],
  [
    'a media type of requests that is gone',
    ({ operation }) =>
      (operation.requestBody = {
        required: false,
        content: { 'text/plain': json(ref('schemas', 'SiteCreate'))['application/json'] },
      }),
    /^createSite: application\/json is gone from its request/,
  ],
  [
    'another status of success',
    ({ operation }) => (operation.responses = { '200': { content: json(ref('schemas', 'Site')) } }),
    /^createSite: it answers 201 no more/,
  ],
  [
    'a media type that is gone',
    ({ operation }) =>
      (operation.responses = { '201': { headers: { ETag: { schema: { type: 'string' } } }, content: {} } }),
    /^createSite: application\/json is gone from its response/,
  ],
  [
    'a header that is gone',
    ({ operation }) => (operation.responses = { '201': { content: json(ref('schemas', 'Site')) } }),
    /^createSite: header ETag is gone from 201/,
  ],
  [
    'another type of a header',
    ({ operation }) =>
      (operation.responses = {
        '201': { headers: { ETag: { schema: { type: 'integer' } } }, content: json(ref('schemas', 'Site')) },
      }),
    /^createSite: header ETag: type was "string" and is "integer"/,
  ],
  [
    'a reply without a property',
    ({ reply }) => without(reply, 'name'),
    /^Site: property name is gone \(in responses\)/,
  ],
  [
    'a property that may be absent from a reply',
    ({ reply }) => (reply.required = ['id']),
    /^Site: property name is optional now/,
  ],
  [
    'another type in a reply',
    ({ reply }) => (property(reply, 'name').type = 'integer'),
    /^Site: type was "string" and is "integer" \(in responses at name/,
  ],
  ['null in a reply', ({ reply }) => (property(reply, 'name').type = ['string', 'null']), /^Site: type was/],
  [
    'a wider number in a reply',
    ({ reply }) => (property(reply, 'size').type = ['number', 'string']),
    /^Site: type was "number"/,
  ],
  [
    'another format in a reply',
    ({ reply }) => delete property(reply, 'created_at').format,
    /^Site: format was "date-time"/,
  ],
  [
    'another type inside an array',
    ({ reply }) => (property(reply, 'inside').items = { type: 'string' }),
    /^Site: type was/,
  ],
  [
    'a new required property',
    ({ request }) => (request.required = ['name', 'zip']),
    /^SiteCreate: property zip is required now/,
  ],
  [
    'a request property that is gone',
    ({ request }) => without(request, 'zip'),
    /^SiteCreate: property zip is gone \(in requests\)/,
  ],
  [
    'a request that is closed',
    ({ request }) => (request.additionalProperties = false),
    /^SiteCreate: properties it does not name/,
  ],
  [
    'a smaller maximum',
    ({ request }) => (property(request, 'name').maxLength = 50),
    /^SiteCreate: maxLength was 100 and is 50/,
  ],
  [
    'a new maximum',
    ({ request }) => (property(request, 'zip').maxLength = 5),
    /^SiteCreate: maxLength was "open" and is 5/,
  ],
  [
    'a larger minimum',
    ({ request }) => (property(request, 'name').minLength = 2),
    /^SiteCreate: minLength was 1 and is 2/,
  ],
  [
    'a new pattern',
    ({ request }) => (property(request, 'zip').pattern = '^[0-9]+$'),
    /^SiteCreate: pattern was "open"/,
  ],
  ['a new format', ({ request }) => (property(request, 'zip').format = 'uri'), /^SiteCreate: format was "open"/],
  [
    'a value that is refused',
    ({ request }) => (property(request, 'kind').enum = ['indoor']),
    /^SiteCreate: "outdoor" accepted no more/,
  ],
  [
    'a new restriction to values',
    ({ request }) => (property(request, 'zip').enum = ['1']),
    /^SiteCreate: only "1" accepted now/,
  ],
  [
    'a narrower type',
    ({ request }) => (property(request, 'zip').type = 'integer'),
    /^SiteCreate: type was "string" and is "integer"/,
  ],
  [
    'a narrower map',
    ({ request }) => (property(request, 'labels').additionalProperties = { type: 'string', maxLength: 5 }),
    /^SiteCreate: maxLength was 10 and is 5 \(in requests at labels\{\}/,
  ],
  [
    'a form of the names of a map',
    ({ request }) => (property(request, 'labels').propertyNames = { pattern: '^[a-z]+$' }),
    /^SiteCreate: propertyNames were anything and have a form now/,
  ],
  [
    'a form of the values of a map',
    ({ request }) => (property(request, 'extra').additionalProperties = { type: 'string' }),
    /^SiteCreate: additionalProperties were anything and have a form now/,
  ],
  [
    'another default',
    ({ request }) => (property(request, 'kind').default = 'outdoor'),
    /^SiteCreate: default was "indoor" and is "outdoor" \(in requests at kind/,
  ],
  [
    'a default that is gone',
    ({ request }) => delete property(request, 'kind').default,
    /^SiteCreate: default was "indoor" and is "open"/,
  ],
  [
    'a variant less',
    ({ request }) => property(request, 'target').oneOf?.pop(),
    /^SiteCreate: a variant of oneOf is gone/,
  ],
  [
    'a condition more',
    ({ request }) => (request.allOf = [{ required: ['zip'] }]),
    /^SiteCreate: allOf has a new condition/,
  ],
  [
    'a schema that is renamed',
    ({ contract, operation, request }) => {
      contract.components.schemas = { Place: request, Site: contract.components.schemas['Site'] ?? {} };
      operation.requestBody = { required: false, content: json(ref('schemas', 'Place')) };
    },
    /^SiteCreate: its name is gone/,
  ],
];

for (const [title, edit, finding] of breaks)
  test(`${title} breaks clients`, () => {
    const found = after(edit);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(finding);
  });

const harmless: [title: string, edit: Parameters<typeof after>[0]][] = [
  ['nothing', () => undefined],
  [
    'a new operation',
    ({ contract, operation }) => (contract.paths = { ...contract.paths, '/api/x': { post: operation } } as never),
  ],
  ['a lower role', ({ operation }) => (operation.security = [{ bearerAuth: ['viewer'] }])],
  ['another token kind', ({ operation }) => operation['x-token-kinds']?.push('robot')],
  ['an optional parameter', ({ operation }) => operation.parameters?.push({ name: 'q', in: 'query' })],
  ['another refusal', ({ operation }) => (operation.responses = { ...operation.responses, '409': {} })],
  ['another default in a reply', ({ reply }) => (property(reply, 'kind').default = 'outdoor')],
  ['a refusal less', ({ operation }) => delete operation.responses?.['404']],
  ['more in a reply', ({ reply }) => (reply.properties = { ...reply.properties, more: { type: 'string' } })],
  ['a new value in a reply', ({ reply }) => property(reply, 'kind').enum?.push('orbital')],
  ['an integer where a number was promised', ({ reply }) => (property(reply, 'size').type = 'integer')],
  [
    'an optional request property',
    ({ request }) => (request.properties = { ...request.properties, more: { type: 'string' } }),
  ],
  ['a request property that may be left out', ({ request }) => (request.required = [])],
  ['a larger maximum', ({ request }) => (property(request, 'name').maxLength = 200)],
  ['a map that takes names it refused', ({ request }) => delete property(request, 'closed').additionalProperties],
  ['a wider type', ({ request }) => (property(request, 'zip').type = ['string', 'integer'])],
  ['a new value in a request', ({ request }) => property(request, 'kind').enum?.push('orbital')],
  ['a variant more', ({ request }) => property(request, 'target').oneOf?.push({ type: 'boolean' })],
];

for (const [title, edit] of harmless)
  test(`${title} breaks no client`, () => {
    expect(after(edit)).toEqual([]);
  });

test('the contract does not break itself', async () => {
  const text = await readFile(join(repository, 'generated/openapi.json'), 'utf8');
  const document = JSON.parse(text) as Document;
  expect(breakingChanges({ before: document, after: document })).toEqual([]);
});

test('the CHANGELOG is read version by version, each entry as one line of text however it was broken', () => {
  const changelog =
    '# Changelog\n\nAll changes.\n\n## Unreleased\n\n### Added\n\n- A site\n  has a name.\n- `Fleet`\n\n## [0.2.0] - 2026-12-01\n\n### Breaking\n- `createSite`\nis gone.\n\n### Fixed\n- Robots\n';
  expect(releasesOf(changelog)).toEqual([
    {
      version: 'Unreleased',
      entries: [
        { kind: 'Added', text: 'A site has a name.', breaking: false },
        { kind: 'Added', text: '`Fleet`', breaking: false },
      ],
    },
    {
      version: '0.2.0',
      date: '2026-12-01',
      entries: [
        { kind: 'Breaking', text: '`createSite` is gone.', breaking: true },
        { kind: 'Fixed', text: 'Robots', breaking: false },
      ],
    },
  ]);
});

test('only "Breaking" of "Unreleased" announces', () => {
  const changelog =
    '# Changelog\n## Unreleased\n### Breaking\n- `Site` …\n### Added\n- Fleet\n## 0.2.0\n### Breaking\n- createSite\n';
  const changes = ['Site', 'Sit', 'createSite', 'Fleet'].map((subject) => ({ subject, what: 'gone' }));
  const silent = unannounced(changes, announced(changelog, 'Unreleased'));
  expect(silent.map(({ subject }) => subject)).toEqual(['Sit', 'createSite', 'Fleet']);
});

const releasedText = (version: string) => readFile(join(repository, 'spec/released', version, 'openapi.json'), 'utf8');

test('each released contract is of its version, and the CHANGELOG has that version with a date', async () => {
  const released = await readdir(join(repository, 'spec/released'));
  const sections = releasesOf(await readFile(join(repository, 'CHANGELOG.md'), 'utf8'));
  expect(released).toContain('0.1.0');
  for (const version of released) {
    expect(JSON.parse(await releasedText(version))).toMatchObject({ info: { version } });
    const dates = sections.filter((section) => section.version === version).map(({ date }) => date);
    expect([version, ...dates]).toEqual([version, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
  }
});

/** The scripts of the gate as JavaScript: `tsx` would translate them again for each of their runs here. */
const scripts = new Map<string, string>();
beforeAll(async () => {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: ['.ci/breaking.ts', '.ci/release-contract.ts'],
    outdir: '.ci',
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  for (const { path, text } of outputFiles) scripts.set(relative(repository, path), text);
});

/** A folder without git: the scripts of the gate, and the real contract of release 0.1.0, which is the current one too. */
async function startClone() {
  const folder = await mkdtemp(join(tmpdir(), 'breaking-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = async (...[program = '', ...args]: string[]) =>
    promisify(execFile)(program, args, { cwd: folder }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, text: stdout + stderr };
      },
    );
  const write = async (path: string, content: unknown) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const setVersion = (version: string) => write('package.json', { type: 'module', version });
  /** `text` is the body of "Unreleased". The section of 0.1.0 below it names deleteRobot, which must not count. */
  const setChangelog = (text: string) =>
    write(
      'CHANGELOG.md',
      `# Changelog\n\n## Unreleased\n${text}\n## 0.1.0 - 2026-11-24\n### Breaking\n- deleteRobot\n`,
    );
  const script = (name: string) => () => run(process.execPath, `.ci/${name}.js`);
  for (const [path, text] of scripts) await write(path, text);
  const released = await releasedText('0.1.0');
  await write('spec/released/0.1.0/openapi.json', released);
  await write('generated/openapi.json', released);
  await setVersion('0.1.0');
  await setChangelog('');
  return {
    run,
    write,
    released,
    remove: (path: string) => rm(join(folder, path), { recursive: true }),
    read: (path: string) => readFile(join(folder, path), 'utf8'),
    setVersion,
    setChangelog,
    /** The comparison of the gate, in this process. */
    compare: () => compareWithRelease(pathToFileURL(`${folder}/`), 'Unreleased'),
    gate: script('breaking'),
    release: script('release-contract'),
  };
}

/** The contract of a release without the operation deleteRobot, as another version. */
function withoutDeleteRobot(released: string, version: string): Document {
  const document = JSON.parse(released) as Document;
  const robot = document.paths?.['/api/robots/{id}'];
  expect(robot?.['delete']).toMatchObject({ operationId: 'deleteRobot' });
  delete robot?.['delete'];
  return { ...document, info: { version } };
}

const finding = /^breaking since 0\.1\.0: deleteRobot: DELETE \/api\/robots\/\{id\} is gone$/m;
const matching = (code: number, text: RegExp) => ({ code, text: expect.stringMatching(text) as string });

test('the gate fails on a breaking change since release 0.1.0 until "Unreleased" names it', async () => {
  const clone = await startClone();
  expect(await clone.gate()).toEqual({ code: 0, text: 'breaking changes since 0.1.0: none\n' });

  await clone.write('generated/openapi.json', withoutDeleteRobot(clone.released, '0.1.0'));
  expect(await clone.gate()).toMatchObject(matching(1, finding));

  await clone.setChangelog('### Breaking\n- `deleteRobot` is gone.\n');
  expect(await clone.gate()).toEqual({ code: 0, text: 'breaking changes since 0.1.0: 1, all announced\n' });
});

testWith('git')('the gate compares in a clone without a tag, and ignores tags', async () => {
  const clone = await startClone();
  await clone.write('generated/openapi.json', withoutDeleteRobot(clone.released, '0.1.0'));
  const git = (...args: string[]) => clone.run('git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args);
  await git('init', '--quiet');
  await git('add', 'generated');
  expect(await git('commit', '--quiet', '-m', 'first')).toEqual({ code: 0, text: '' });
  expect(await clone.gate()).toMatchObject(matching(1, finding));

  // Compared with this tag, nothing would have changed.
  expect(await git('tag', 'v0.1.0')).toEqual({ code: 0, text: '' });
  expect(await clone.gate()).toMatchObject(matching(1, finding));
});

test('the gate compares with the highest release up to the version of the package', async () => {
  const clone = await startClone();
  for (const version of ['0.9.0', '0.10.0', '0.11.0'])
    await clone.write(`spec/released/${version}/openapi.json`, withoutDeleteRobot(clone.released, version));
  for (const [version, since] of [
    ['0.10.0', '0.10.0'],
    ['0.9.4', '0.9.0'],
  ] as const) {
    await clone.setVersion(version);
    expect(await clone.compare()).toMatchObject({ since, changes: [] });
  }
});

type Clone = Awaited<ReturnType<typeof startClone>>;
const unusable: [title: string, edit: (clone: Clone) => Promise<void>, text: RegExp][] = [
  [
    'no released contract',
    (clone) => clone.remove('spec'),
    /^spec\/released\/ has no contract up to version 0\.1\.0\. Restore/,
  ],
  [
    'only later releases',
    (clone) => clone.setVersion('0.0.9'),
    /^spec\/released\/ has no contract up to version 0\.0\.9/,
  ],
  [
    'a release without its file',
    (clone) => clone.remove('spec/released/0.1.0/openapi.json'),
    /^cannot read spec\/released\/0\.1\.0\/openapi\.json: ENOENT/,
  ],
  [
    'a released contract that is no JSON',
    (clone) => clone.write('spec/released/0.1.0/openapi.json', clone.released.slice(0, 1000)),
    /^cannot read spec\/released\/0\.1\.0\/openapi\.json: .*JSON/,
  ],
  [
    'a released contract of another version',
    (clone) => clone.write('spec/released/0.1.0/openapi.json', { info: { version: '0.2.0' } }),
    /is not the contract of 0\.1\.0: its info\.version is 0\.2\.0/,
  ],
  [
    'a released contract without operations',
    (clone) => clone.write('spec/released/0.1.0/openapi.json', { info: { version: '0.1.0' }, paths: {} }),
    /^spec\/released\/0\.1\.0\/openapi\.json has no operations/,
  ],
  [
    'a folder whose name is no version',
    (clone) => clone.write('spec/released/v0.0.1/openapi.json', clone.released),
    /^"v0\.0\.1" is not a version of the form 1\.2\.3/,
  ],
];

for (const [title, edit, text] of unusable)
  test(`with ${title} nothing is compared, which is an error`, async () => {
    const clone = await startClone();
    await edit(clone);
    const error: unknown = await clone.compare().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GateError);
    expect((error as GateError).message).toMatch(text);
  });

test('the gate fails where nothing is compared, and says why in one line', async () => {
  const clone = await startClone();
  await clone.remove('spec');
  expect(await clone.gate()).toMatchObject(matching(1, /^spec\/released\/ has no contract .*\n$/));
});

test('a contract is released once, and names its own breaking changes', async () => {
  const clone = await startClone();
  expect(await clone.release()).toMatchObject(matching(1, /^0\.1\.0 is already released/));
  expect(await clone.read('spec/released/0.1.0/openapi.json')).toBe(clone.released);

  await clone.setVersion('0.2.0');
  expect(await clone.release()).toMatchObject(matching(1, /is of 0\.1\.0, package\.json of 0\.2\.0\. Run npm run gen/));
  const next = withoutDeleteRobot(clone.released, '0.2.0');
  await clone.write('generated/openapi.json', next);
  expect(await clone.release()).toMatchObject(matching(1, /no section "## 0\.2\.0 - <date>"/));
  await clone.setChangelog('### Breaking\n- deleteRobot\n## 0.2.0 - 2026-12-01\n');
  expect(await clone.release()).toMatchObject(matching(1, finding));

  await clone.setChangelog('## 0.2.0 - 2026-12-01\n### Breaking\n- deleteRobot\n');
  expect(await clone.release()).toEqual({ code: 0, text: 'spec/released/0.2.0/openapi.json\n' });
  expect(await clone.read('spec/released/0.2.0/openapi.json')).toBe(JSON.stringify(next));
  expect(await clone.gate()).toEqual({ code: 0, text: 'breaking changes since 0.2.0: none\n' });
});
