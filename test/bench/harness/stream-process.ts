/** Plays one robot and its watchers in a process of its own, so that their CPU counts for nobody. It answers each job that it is sent over IPC. */
import { streamPlayer, type StreamJob } from './stream-job.ts';

const run = streamPlayer();
process.on('message', (job: StreamJob) => {
  void run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
