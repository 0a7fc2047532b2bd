import { testPages } from './run-pages.ts';

testPages('docs/tutorials');
