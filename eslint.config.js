import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;
const typescript = ['**/*.ts', '**/*.tsx'];

const environment =
  'src/config.ts and cli/command-line/config.ts read the environment, once; others are handed what they need.';

const fakeTimers =
  'A service of the same process loses its timers: a test with fake timers is in a *.clock.test.* file, and starts no service.';

const spread =
  'V8 of Node 20 adds members behind a spread slowly, see decision 142: name the members, or put the spread behind them.';

export default defineConfig(
  // The scenarios stand on clients that their test generates, and are compiled with them.
  { ignores: ['dist/', 'generated/', 'node_modules/', 'coverage/', 'test/generators/scenarios/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { extends: [tseslint.configs.strictTypeChecked], files: typescript },
  {
    files: typescript,
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: root } },
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['ExportDefaultDeclaration', 'ExportSpecifier[exported.name="default"]'].map((selector) => ({
          selector,
          message: 'Prefer named exports.',
        })),
        { selector: 'ObjectExpression > SpreadElement:first-child > ObjectExpression', message: spread },
      ],
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
    files: ['cli/client/**/*.ts', 'cli/transport/shell/*.ts', 'cli/transport/{backoff,retry}.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '^(node:|ws$)', message: 'A browser has none.' }] }],
    },
  },
  {
    files: [
      'src/config.ts',
      'cli/command-line/config.ts',
      'test/**/*.ts',
      'test/**/*.tsx',
      '.ci/**/*.ts',
      'packaging/**/*.ts',
    ],
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
  {
    files: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    ignores: ['**/*.clock.test.*'],
    rules: { 'no-restricted-properties': ['error', { object: 'vi', property: 'useFakeTimers', message: fakeTimers }] },
  },
  {
    files: ['**/*.clock.test.*'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: '/support/world\\.ts$', message: fakeTimers }] }],
    },
  },
  // Vitest asks for them.
  {
    files: ['test/vitest.config.ts', 'test/runner/global-setup.ts', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['test/bench/**/*.ts', '.ci/**/*.ts', 'packaging/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs'],
    rules: { 'no-unused-vars': 'error', 'prefer-const': 'error', 'no-var': 'error', eqeqeq: 'error' },
  },
);
