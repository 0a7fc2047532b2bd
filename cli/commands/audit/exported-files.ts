import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { CliError } from '../../command-line/errors.ts';
import { broken, unverifiable } from './broken.ts';
import { hashAfterText, startOf, type Head } from './chain.ts';

/** A file of `fleet-control-service audit export`, as its manifest describes it. */
interface ExportedFile {
  org_id: string;
  name: string;
  path: string;
  first_seq: number;
  last_seq: number;
  previous_hash: string;
  last_hash: string;
  sha256: string;
}

/** What files of one org prove, from their first entry to `head`. */
interface VerifiedFiles {
  first: number;
  head: Head;
}

/** The files of a folder: of its `manifest.json`, and of those in its subfolders. @throws CliError if there is none */
export async function findExports(folder: string): Promise<ExportedFile[]> {
  const names = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new CliError(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`, { code: 'bad_request' });
  });
  const places = [folder, ...names.filter((each) => each.isDirectory()).map(({ name }) => join(folder, name))];
  const found = (await Promise.all(places.map(readManifest))).flat();
  if (found.length > 0) return found;
  throw unverifiable(
    `${folder} has no exported audit log`,
    'Name the folder of fleet-control-service audit export, or one that contains several of them.',
  );
}

async function readManifest(folder: string): Promise<ExportedFile[]> {
  const path = join(folder, 'manifest.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unverifiable(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  });
  if (text === undefined) return [];
  try {
    const { kind, format, files } = JSON.parse(text) as { kind?: string; format?: number; files: ExportedFile[] };
    if (kind === 'audit' && format === 1)
      return files.map((file) => {
        if (!/^[\w.-]+$/.test(file.name)) throw new Error('a name outside of the folder');
        return { ...file, path: join(folder, file.name) };
      });
  } catch {
    // Not a manifest.
  }
  throw unverifiable(`${path} is not the manifest of an exported audit log, or one of a later release`);
}

/**
 * Verifies the files of one org one after the other, each also against its SHA-256. Files may overlap. `known`: a head that one of
 * the entries must have.
 * @throws CliError
 */
export async function verifyExports(
  files: readonly ExportedFile[],
  orgId: string,
  { known, onProgress }: { known: Head | undefined; onProgress: (entries: number) => void },
): Promise<VerifiedFiles> {
  const own = files
    .filter((file) => file.org_id === orgId)
    .sort((a, b) => a.first_seq - b.first_seq || a.last_seq - b.last_seq);
  const [first] = own;
  if (!first) throw unverifiable(`no file is of org ${orgId}`);
  if (known && known.seq < first.first_seq - 1)
    throw unverifiable(`the files begin at entry ${first.first_seq}, after entry ${known.seq} of --from`);
  if (first.first_seq === 1 && first.previous_hash !== startOf(orgId))
    throw broken(`${first.path} does not begin with the log of org ${orgId}`);
  let head: Head = { seq: first.first_seq - 1, hash: first.previous_hash };
  for (const file of own) {
    if (file.first_seq > head.seq + 1)
      throw unverifiable(`no file has entries ${head.seq + 1} to ${file.first_seq - 1}`);
    const last = await verifyFile(file, [head, ...(known ? [known] : [])], onProgress);
    if (last.seq > head.seq) head = last;
  }
  return { first: first.first_seq, head };
}

/** Returns its last entry. */
async function verifyFile(
  file: ExportedFile,
  known: readonly Head[],
  onProgress: (entries: number) => void,
): Promise<Head> {
  const digest = createHash('sha256');
  let [seq, hash] = [file.first_seq - 1, file.previous_hash];
  const compare = () => {
    for (const head of known)
      if (head.seq === seq && head.hash !== hash) throw broken(`${file.path} has another entry ${seq} than expected`);
  };
  compare();
  for await (const text of linesOf(file.path, (bytes) => digest.update(bytes))) {
    seq += 1;
    if (seqOf(text) !== seq) throw broken(`${file.path} has no entry ${seq}`);
    hash = hashAfterText(hash, text);
    compare();
    if (seq % 1_000 === 0) onProgress(seq);
  }
  if (digest.digest('hex') !== file.sha256) throw broken(`the SHA-256 of ${file.path} is not the manifest's`);
  if (seq !== file.last_seq || hash !== file.last_hash)
    throw broken(`the entries of ${file.path} do not lead to the last hash of the manifest`);
  return { seq, hash };
}

function seqOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { seq?: unknown } | null)?.seq;
  } catch {
    return undefined;
  }
}

const lineFeed = 10;

/** Other line separators of Unicode are part of a line. `onBytes` gets the compressed bytes. */
async function* linesOf(path: string, onBytes: (bytes: Buffer) => void): AsyncGenerator<string> {
  const unzipped = createGunzip();
  createReadStream(path)
    .on('data', (bytes) => onBytes(bytes as Buffer))
    .on('error', (error) => unzipped.destroy(error))
    .pipe(unzipped);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed, start)) {
        yield rest.toString('utf8', start, end);
        start = end + 1;
      }
      rest = rest.subarray(start);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw broken(`${path} is missing or damaged (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
