import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A folder on a file system that never responds, like a dead server or a dying disk. */
export interface HangingDisk extends Disposable {
  /** Restores the original folder. */
  mend(): void;
}

/** `folder` must exist and be empty. */
export function hangDisk(folder: string): HangingDisk {
  const fd = openSync('/dev/fuse', 'r+');
  let isMended = false;
  // Nothing reads from the descriptor: any access to the folder blocks.
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
