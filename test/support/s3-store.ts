import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { tempDir } from './temp-dir.ts';

const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('s3-store.py', import.meta.url));

export interface S3Store extends AsyncDisposable {
  /** Settings of a service that keeps its artifacts in a bucket of this store, which is created. */
  bucket(name: string): Promise<Record<string, string>>;
  client: S3Client;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
  /** The same at the same address, with its data. */
  start(): Promise<void>;
}

const ownCredentials = { accessKeyId: 'fleet:tests', secretAccessKey: 'secret-of-the-s3-store' };

/** OpenStack Swift, a real S3 store, in its own process. */
export async function startS3Store({ accessKeyId, secretAccessKey } = ownCredentials): Promise<S3Store> {
  const folder = await tempDir();
  let child: ChildProcess | undefined;
  let port = '0';
  async function start() {
    const started = spawn(python, [script, folder.path, port, accessKeyId, secretAccessKey], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let wrong = '';
    started.stderr.on('data', (chunk) => (wrong += String(chunk)));
    const ended = once(started, 'exit').then(() => Promise.reject(new Error(`the S3 store ended: ${wrong}`)));
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(started.stdout, 'data'), ended])) as [Buffer];
    port = line.toString().trim();
  }
  async function kill() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    client,
    async bucket(name) {
      await client.send(new CreateBucketCommand({ Bucket: name }));
      return {
        S3_ENDPOINT: endpoint,
        S3_BUCKET: name,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      };
    },
    signal: (signal) => void child?.kill(signal),
    kill,
    start,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await kill();
      await folder[Symbol.asyncDispose]();
    },
  };
}
