import { testPages } from './run-pages.ts';

testPages('docs/reference');
testPages('docs/explanation');
