import { afterEach } from 'vitest';
import { covered, type Covered } from './covered.ts';

declare module 'vitest' {
  interface TaskMeta {
    covered?: Covered;
  }
}

afterEach(({ task }) => {
  task.file.meta.covered = covered;
});
