/** Plays a camera and its viewers in a process of its own, so that their CPU counts for nobody. It answers each job that it is sent over IPC. */
import { cameraPlayer, type CameraJob } from './camera-job.ts';

const run = cameraPlayer();
process.on('message', (job: CameraJob) => {
  void run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
