/** The load generator, a process of its own so that its CPU counts for nobody. It answers each job that it is sent over IPC. */
import { runLoad, type LoadJob } from './load-job.ts';

process.on('message', (job: LoadJob) => {
  void runLoad(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
