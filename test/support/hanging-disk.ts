import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A folder on a file system that never answers, as one on a dead server or a dying disk. */
export interface HangingDisk extends Disposable {
  /** From then on the folder is what it was before. */
  mend(): void;
}

/** `folder` must be there, and empty. */
export function hangDisk(folder: string): HangingDisk {
  const fd = openSync('/dev/fuse', 'r+');
  let isMended = false;
  // Nobody reads from the descriptor: whoever asks something of the folder waits.
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'hanging', folder], {
    stdio: ['ignore', 'ignore', 'inherit', fd],
  });
  const mend = () => {
    if (isMended) return;
    isMended = true;
    execFileSync('umount', ['-l', folder]);
    closeSync(fd);
  };
  return { mend, [Symbol.dispose]: mend };
}
