import { afterEach, beforeAll } from 'vitest';
import { covered, forgetCovered, type Covered } from './covered.ts';

declare module 'vitest' {
  interface TaskMeta {
    covered?: Covered;
  }
}

beforeAll(forgetCovered);

afterEach(({ task }) => {
  task.file.meta.covered = structuredClone(covered); // the next file of the worker clears it
});
