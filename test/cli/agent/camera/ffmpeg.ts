import { readdir, readFile } from 'node:fs/promises';

/** The process of an ffmpeg with this text in its command line; undefined if there is none. */
export async function ffmpegOf(mark: string): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (line.startsWith('ffmpeg') && line.includes(mark)) return Number(pid);
  }
  return undefined;
}
