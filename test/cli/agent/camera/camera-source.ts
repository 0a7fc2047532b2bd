import type { CameraSource, RunningSource } from '../../../../cli/agent/camera/source.ts';
import { patienceMs, until, within } from '../../../support/until.ts';

/** A running source, and its reports. */
export interface WatchedSource extends AsyncDisposable {
  running: RunningSource;
  pictures: Buffer[];
  broken: number;
  hints: string[];
  failures: string[];
  /** Resolves at this number of pictures. */
  has(pictures: number): Promise<void>;
  /** Resolves to the reason of its failure. */
  fails(): Promise<string>;
}

export function watchSource(source: CameraSource, perSecond: number | null = null): WatchedSource {
  const pictures: Buffer[] = [];
  const failures: string[] = [];
  const hints: string[] = [];
  let broken = 0;
  const running = source.start(
    {
      picture: (jpeg) => void pictures.push(jpeg),
      broken: () => void (broken += 1),
      hint: (why) => void hints.push(why),
      failed: (reason) => void failures.push(reason),
    },
    perSecond,
  );
  const told = () => `there are ${pictures.length} pictures, and: ${failures.join(', ')}`;
  return {
    running,
    pictures,
    hints,
    failures,
    get broken() {
      return broken;
    },
    has: (count) =>
      within(
        until(() => pictures.length >= count),
        patienceMs,
        told,
      ),
    async fails() {
      await within(
        until(() => failures.length > 0),
        patienceMs,
        told,
      );
      return failures[0] ?? '';
    },
    [Symbol.asyncDispose]: () => running.stop(),
  };
}
