/** Holds links in a process of its own, so that its CPU and memory count for nobody. It answers each job that it is sent over IPC. */
import { linkHolder, type LinkJob } from './link-job.ts';

const run = linkHolder();
process.on('message', (job: LinkJob) => {
  void run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
