/** The open-loop generator, a process of its own: a busy server does not slow it down. It answers each job that it is sent over IPC. */
import { openLoader, type OpenLoadJob } from './open-load-job.ts';

const load = openLoader();

process.on('message', (job: OpenLoadJob) => {
  void load(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
