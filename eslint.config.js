import { readdirSync } from 'node:fs';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;
const typescript = ['**/*.ts', '**/*.tsx'];

/** Every folder of src/ is a resource but these two, so a new one is under the rules from its first file. */
const foundations = ['kernel', 'platform'];
const entries = readdirSync(new URL('src', import.meta.url), { withFileTypes: true });
/** What puts the parts together: the process, its settings, who calls. */
const composition = entries.filter((entry) => entry.isFile()).map((entry) => `./src/${entry.name}`);
const resources = entries
  .filter((entry) => entry.isDirectory() && !foundations.includes(entry.name))
  .map((entry) => entry.name);

/** handlers → service → store → model → kernel, and from one resource to another only by its service.ts. */
const withinAndBetweenResources = resources.flatMap((name) => {
  const own = (file) => `./src/${name}/${file}.ts`;
  const others = resources.filter((other) => other !== name);
  return [
    {
      target: `./src/${name}`,
      from: './src',
      except: [`./${name}`, './kernel', './platform', './config.ts', ...others.map((other) => `./${other}/service.ts`)],
      message:
        'A resource reaches another only through its service.ts, and the composition root (app.ts, main.ts) never.',
    },
    {
      target: own('model'),
      from: './src',
      except: [`./${name}`, './kernel'],
      message: 'A model knows its own resource and the kernel, nothing else.',
    },
    {
      target: own('model'),
      from: [own('store'), own('service'), own('handlers')],
      message: 'A model is below its store.',
    },
    { target: own('store'), from: [own('service'), own('handlers')], message: 'A store is below its service.' },
    {
      target: own('store'),
      from: others.map((other) => `./src/${other}`),
      message: 'A store knows no other resource; the service brings them together.',
    },
    { target: own('service'), from: own('handlers'), message: 'A service is below its handlers.' },
    {
      target: [own('model'), own('store'), own('service')],
      from: './src/platform/http',
      message: 'Only handlers know HTTP.',
    },
  ].filter(({ from }) => from.length > 0);
});

const direction = [
  ...withinAndBetweenResources,
  { target: './src/kernel', from: './src', except: ['./kernel'], message: 'The kernel imports nothing of ours.' },
  { target: './src/kernel', from: './generated', message: 'The kernel imports nothing of ours.' },
  {
    target: './src/platform',
    from: [...composition, ...resources.map((name) => `./src/${name}`)],
    message: 'The platform knows no resource and no setting; app.ts hands it what it needs.',
  },
  {
    target: ['./src', './cli', './test'],
    from: './src/main.ts',
    message: 'main.ts is the process; nothing imports it.',
  },
  { target: './cli', from: './src', message: 'The client knows the server by its contract only.' },
  { target: './src', from: './cli', message: 'The server does not know the client.' },
  { target: ['./src', './cli'], from: ['./test', './.ci'], message: 'The product does not know its tools.' },
  {
    target: './cli/agent',
    from: './cli',
    except: ['./agent', './files', './shell/ring.ts'],
    message: 'The agent runs alone: it uses generated/, cli/files and the ring of shells only.',
  },
  {
    target: './cli/ui',
    from: ['./cli/api/api.ts', './cli/api'],
    message: 'The interface draws what it is given; it fetches nothing.',
  },
  {
    target: [
      './src/*.ts',
      './src/platform/*.ts',
      './src/platform/!(http)/**',
      './src/!(platform)/**/!(*handlers).ts',
      './cli/!(api|client)/**',
      './cli/!(api).ts',
    ],
    from: './generated/api.d.ts',
    message: "The contract's types are for handlers, platform/http, cli/api and cli/client; others speak model types.",
  },
  {
    target: './cli/client',
    from: './cli',
    except: ['./client', './agent/backoff.ts', './shell/lasting.ts'],
    message:
      'The client that others import runs in browsers too: it uses generated/, the backoff and the shell that knows no Node.',
  },
  {
    target: ['./src', './cli/!(client)/**', './cli/*.ts'],
    from: './cli/client',
    message: 'It is for others; cli has its own calls.',
  },
  {
    target: ['./src/*.ts', './src/platform/*.ts', './src/platform/!(http)/**', './src/!(platform)/**', './cli/**'],
    from: './generated/validators.js',
    message: 'Requests are validated once, in platform/http.',
  },
  {
    target: ['./src/*.ts', './src/platform/**', './src/!(platform|streams|logs)/**'],
    from: ['./generated/frames.js', './generated/frames.d.ts'],
    message: 'Frames are for streams and logs, and for the client; others speak model types.',
  },
  {
    target: [
      './src/*.ts',
      './src/platform/!(db)/**',
      './src/!(platform|streams|viewers|relay|watching|logs|deployments)/**',
    ],
    from: ['./generated/protocol.js', './generated/protocol.d.ts'],
    message: 'The tables of the protocol are for those who speak it, and for deployments, whose moves it holds.',
  },
];

const environment = 'src/config.ts and cli/command-line/config.ts read the environment, once; others are handed what they need.';

export default defineConfig(
  // The scenarios stand on clients that their test generates, and are compiled with them.
  { ignores: ['dist/', 'generated/', 'node_modules/', 'coverage/', 'test/generators/scenarios/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { extends: [tseslint.configs.strictTypeChecked], files: typescript },
  {
    files: typescript,
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: root } },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: `${root}/tsconfig.json` })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: root, zones: direction }],
      // A command that is loaded when it is called may know the table that names it.
      'import-x/no-cycle': ['error', { ignoreExternal: true, allowUnsafeDynamicCyclicDependency: true }],
      'import-x/no-default-export': 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environment }],
      'no-restricted-imports': [
        'error',
        { paths: ['process', 'node:process'].map((name) => ({ name, importNames: ['env'], message: environment })) },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Numbers in messages are what messages are for.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return socket.destroy()` is plainer than a block.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Stores, services and handlers are objects of closures: none has a `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // An interface may want a promise where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'cli/**/*.ts', 'cli/**/*.tsx'],
    // What runs after `npm ci --omit=dev`.
    rules: { 'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }] },
  },
  {
    files: ['cli/client/**/*.ts', 'cli/transport/shell/resumable-session.ts', 'cli/transport/shell/ring.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '^(node:|ws$)', message: 'A browser has none.' }] }],
    },
  },
  {
    files: ['src/config.ts', 'cli/command-line/config.ts', 'test/**/*.ts', 'test/**/*.tsx', '.ci/**/*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-imports': 'off' },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: {
      'max-lines': ['error', { max: 600 }],
      // Bodies of replies arrive untyped; assertions and the check against the contract judge them.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  // Vitest asks for them.
  {
    files: ['test/vitest.config.ts', 'test/vitest.quick.config.ts', 'test/support/global-setup.ts', '**/*.d.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  { files: ['test/bench/**/*.ts', '.ci/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs'],
    rules: { 'no-unused-vars': 'error', 'prefer-const': 'error', 'no-var': 'error', eqeqeq: 'error' },
  },
);
