import { StepFailed } from '../orders/handler.ts';

/** A member of an archive, by its place: its path in the archive, with `/` between names, without `.` and `..`. */
interface Member {
  kind: 'folder' | 'file' | 'symlink' | 'link';
  /** Of a symlink: the target as written. Of a hard link: the place of the file. */
  target?: string;
}

/** The header of a member, as written in the archive. */
interface MemberHeader {
  path: string;
  type: string;
  mode?: number | undefined;
  linkpath?: string | undefined;
}

/** All members of an archive, including folders that appear only in the paths of other members. */
export interface Members {
  readonly byPlace: ReadonlyMap<string, Member>;
  /**
   * Adds the next member. Returns it with its place, '' for the root folder. Throws StepFailed (bad_archive) if it is
   * not allowed. A file that appears twice replaces the first one.
   */
  add(header: MemberHeader): { place: string; member: Member };
  /** Call after all members are added. Throws StepFailed for a symlink that leads out of the archive. */
  checkSymlinks(): void;
}

const maxMembers = 200_000;
const maxNameBytes = 64 * 1024 * 1024;
/** Symlinks to follow for one symlink. The kernel follows 40. */
const maxHops = 40;
/** Path steps for all symlinks together. A plain symlink takes one step per name in its target. */
const maxSteps = 4_000_000;
const setIds = 0o6000;

const kinds: Readonly<Record<string, Member['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'symlink',
  Link: 'link',
};

export const badArchive = (why: string) => new StepFailed('bad_archive', `the archive is refused: ${why}`);

/** Checks the members of an archive: none leads out of its folder, and each place has one kind. */
export function members(): Members {
  const byPlace = new Map<string, Member>();
  let added = 0;
  let nameBytes = 0;
  let steps = 0;

  function put(place: string, member: Member): void {
    const known = byPlace.get(place);
    if (known && known.kind !== member.kind)
      throw badArchive(`${quoted(place)} is in it as a ${known.kind} and as a ${member.kind}`);
    if (!known) nameBytes += place.length;
    byPlace.set(place, member);
    if (byPlace.size > maxMembers || added > maxMembers) throw badArchive(`it has more than ${maxMembers} members`);
    if (nameBytes > maxNameBytes) throw badArchive('its names are too long');
  }

  /** The place of a hard link's file, which must come before the link. */
  function fileOf(place: string, linkpath: string): string {
    const target = placeOf(linkpath);
    const found = byPlace.get(target);
    const file = found?.kind === 'link' ? (found.target ?? '') : target;
    if (byPlace.get(file)?.kind !== 'file' || file === place)
      throw badArchive(`${quoted(place)} is a hard link to ${quoted(linkpath)}, which is not a file of the archive`);
    return file;
  }

  function leadsOut(place: string, target: string): boolean {
    const at = place.split('/').slice(0, -1);
    let todo = target.split('/').toReversed();
    if (target.startsWith('/')) return true;
    for (let hops = 0; ;) {
      const name = todo.pop();
      if (name === undefined) return false;
      if ((steps += 1) > maxSteps) throw badArchive('it has too many symlinks');
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (at.pop() === undefined) return true;
        continue;
      }
      const next = byPlace.get([...at, name].join('/'));
      if (next?.kind !== 'symlink') {
        at.push(name);
        continue;
      }
      const { target: further = '' } = next;
      if (further.startsWith('/') || (hops += 1) > maxHops) return true;
      todo = [...todo, ...further.split('/').toReversed()];
      steps += todo.length;
    }
  }

  return {
    byPlace,
    add({ path, type, mode = 0, linkpath = '' }) {
      added += 1;
      const kind = kinds[type];
      if (!kind || isSparse(path)) throw badArchive(`${quoted(path)} is a ${kind ? 'sparse file' : type}`);
      const place = placeOf(path);
      if (kind === 'file' && (mode & setIds) !== 0) throw badArchive(`${quoted(path)} would run as another user`);
      if (place === '') {
        if (kind !== 'folder') throw badArchive(`${quoted(path)} is not a valid name for a ${kind}`);
        return { place, member: { kind } };
      }
      for (let end = place.indexOf('/'); end !== -1; end = place.indexOf('/', end + 1))
        put(place.slice(0, end), { kind: 'folder' });
      const target = kind === 'symlink' ? linkpath : kind === 'link' ? fileOf(place, linkpath) : undefined;
      const member: Member = { kind, ...(target !== undefined && { target }) };
      put(place, member);
      return { place, member };
    },
    checkSymlinks() {
      for (const [place, { kind, target = '' }] of byPlace)
        if (kind === 'symlink' && leadsOut(place, target))
          throw badArchive(`${quoted(place)} is a symlink to ${quoted(target)}, which points outside of it`);
    },
  };
}

function placeOf(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.startsWith('/') || path.includes('\0') || names.includes('..'))
    throw badArchive(`${quoted(path)} points outside of it`);
  return names.join('/');
}

/** A sparse file as `tar --sparse` writes it for programs without support: the content is not the file's. */
const isSparse = (path: string) => /(?:^|\/)GNUSparseFile\.\d+\//.test(path);

const quoted = (path: string) => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
