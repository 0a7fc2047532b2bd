import { testPages } from './run-pages.ts';

testPages('docs/how-to', (name) => name >= 'm');
