import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** A member of a tar; by default a plain file with this content. */
export interface TarMember {
  path: string;
  content?: string | Buffer;
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
  linkpath?: string;
  mode?: number;
  uid?: number;
  /** Size in the header; default: that of the content. */
  size?: number;
}

/** A tar with any members, valid or not. */
export function tarOf(members: readonly TarMember[]): Buffer {
  const blocks = members.flatMap(({ path, content = '', type = 'File', linkpath, mode = 0o644, uid = 0, size }) => {
    const bytes = Buffer.from(content);
    const header = new Header({
      path,
      type,
      mode,
      uid,
      gid: uid,
      size: size ?? bytes.length,
      mtime: new Date('2026-11-01T00:00:00Z'),
      ...(linkpath !== undefined && { linkpath }),
    });
    const block = Buffer.alloc(512);
    header.encode(block);
    return [block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const tgzOf = (members: readonly TarMember[]) => gzipSync(tarOf(members));

/** A shell program in an archive. */
export const program = (path: string, lines: string): TarMember => ({
  path,
  content: `#!/bin/sh\n${lines}\n`,
  mode: 0o755,
});
