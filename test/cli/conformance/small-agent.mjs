/**
 * An agent that keeps the promises of the protocol but the one that it is told to break, `BREAK`: for the tests of those who judge agents. It keeps its identity in
 * the folder of its home. Beside what checks are named after it may `crash` in the middle, tell its `secrets`, or
 * `flood` its link.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { WebSocket } from 'ws';

const {
  SERVICE_URL: url,
  SERVICE_ENROLLMENT_KEY: key,
  HOME: home,
  CONFORMANCE_LOG: log,
  BREAK: fault = '',
} = process.env;
const path = join(home, 'identity.json');
const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { nonce: randomUUID(), orders: {} };
const keep = () => {
  writeFileSync(`${path}.new`, JSON.stringify(kept));
  renameSync(`${path}.new`, path);
};
const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const instance = randomUUID();
kept.spool ??= randomUUID();

async function enroll() {
  if (kept.robot_token && fault !== 'identity') return;
  keep();
  const nonce = fault === 'enroll-again' ? randomUUID() : kept.nonce;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/agent/enroll`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fault === 'enroll' ? {} : { nonce }),
  });
  const wait = Number(answer.headers.get('retry-after') ?? 0);
  if (answer.status === 429 && fault !== 'enroll-wait') await pause(wait * 1000 + 50);
  if (answer.status === 429) return enroll();
  if (answer.status === 401 && fault === 'enroll-refused') return pause(500).then(enroll);
  if (!answer.ok) process.exit(1);
  Object.assign(kept, (await answer.json()).data);
  keep();
}

/** Asks for another token, keeps it, and says the same request once more with it. */
async function rotate() {
  const nonce = randomUUID();
  const ask = async (token, ownNonce) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ nonce: ownNonce });
    const answer = await fetch(`${url}/agent/token`, { method: 'POST', headers, body });
    return (await answer.json()).data.robot_token;
  };
  const before = kept.robot_token;
  const again = () => pause(1_000).then(() => ask(before, fault === 'rotate-again' ? randomUUID() : nonce));
  const next = await ask(before, nonce).catch(again);
  if (fault === 'rotate-unshown') return;
  kept.robot_token = next;
  if (fault !== 'rotate') keep();
  await ask(next, nonce);
}

/** The config is nowhere but in its proof. */
async function storeConfig({ digest, payload }) {
  const headers = { Authorization: `Bearer ${kept.robot_token}` };
  const answer = payload === undefined && (await (await fetch(`${url}/agent/payloads/${digest}`, { headers })).json());
  const stored = payload ?? (fault === 'payload-fetched' ? JSON.stringify(answer) : answer.data.payload);
  if (sha256(stored) !== digest) return { status: 'failed', reason: 'digest_mismatch' };
  return { status: 'applied', digest: fault === 'config' && payload ? sha256('other') : digest };
}

async function carryOut(order, say) {
  if (order.cancel && fault !== 'cancel') return { status: 'cancelled' };
  if (order.lane === 'config') return storeConfig(order);
  if (order.lane !== 'release:file')
    return { status: 'failed', reason: fault === 'no-handler' ? 'dunno' : 'no_handler' };
  if (sha256(order.payload) !== order.digest && fault !== 'payload-digest')
    return { status: 'failed', reason: 'digest_mismatch' };
  const early = fault === 'traceparent' && { steps: [] };
  say({ type: 'report', order_id: order.order_id, status: 'downloading', ...early });
  const wanted = JSON.parse(order.payload).release.artifact_sha256;
  const headers = { Authorization: `Bearer ${kept.robot_token}` };
  if (order.artifact_base_url && fault === 'artifact-elsewhere')
    await fetch(`${order.artifact_base_url}/${wanted}`, { headers });
  const answer = await fetch(`${url}/api/artifacts/${wanted}`, { headers });
  const data = Buffer.from(await answer.arrayBuffer());
  if (sha256(data) !== wanted && fault !== 'artifact-digest') return { status: 'failed', reason: 'digest_mismatch' };
  // Windows that the kit sends are closed.
  if (order.window && fault !== 'window') {
    const waiting_on = { holder: 'window', reason: 'closed' };
    say({ type: 'report', order_id: order.order_id, status: 'downloading', progress: { percent: 100, waiting_on } });
    while (!cancelled.has(order.order_id)) await new Promise((resolve) => setTimeout(resolve, 50));
    return { status: 'cancelled' };
  }
  if (fault === 'cancel-midway' && cancelled.has(order.order_id)) return { status: 'failed', reason: 'interrupted' };
  return { status: 'applied', digest: fault === 'deployment' ? sha256('other') : wanted };
}

let orders = Promise.resolve();
const cancelled = new Set();
let newest = [];
function take(items, say) {
  newest = items;
  for (const { order_id, cancel } of items) if (cancel) cancelled.add(order_id);
  for (const order of items)
    orders = orders.then(async () => {
      const isNew = !(order.order_id in kept.orders) || fault === 'orders-once';
      if (isNew && !newest.some(({ order_id }) => order_id === order.order_id) && fault !== 'dropped') return;
      if (isNew) kept.orders[order.order_id] = await carryOut(order, say);
      keep();
      say({ type: 'report', order_id: order.order_id, ...kept.orders[order.order_id] });
    });
}

/** Of raw bytes, or of `fleet.shell.v1` with the frames that a short session needs. */
function shell({ path, secret, protocol, parameters }) {
  const token = fault === 'shell' ? kept.robot_token : secret;
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { Authorization: `Bearer ${token}` } });
  const say = (frame) => protocol && socket.send(JSON.stringify(frame));
  let received = 0;
  let program;
  const begin = ({ cols, rows }) => {
    program = spawn('sh', [], { cols, rows, encoding: null });
    program.onData((data) => socket.send(data, { binary: true }));
    program.onExit(({ exitCode: code }) => {
      say({ type: 'exit', code: fault === 'shell-frames' ? code + 1 : code });
      socket.close(1000, `exit ${code}`);
    });
    if (fault === 'shell-frames-words') socket.send('welcome to this robot');
    say({ type: 'ready', resume_token: 'none', received: 0, grace_seconds: 0 });
  };
  socket.on('error', () => undefined);
  socket.on('open', () => protocol ?? begin(parameters));
  socket.on('message', (data, isBinary) => {
    const frame = protocol && !isBinary ? JSON.parse(data) : { type: 'bytes' };
    if (frame.type === 'start') begin(frame);
    else if (frame.type === 'resize') program.resize(frame.cols, frame.rows);
    else if (frame.type === 'bytes') {
      program.write(data.toString());
      say({ type: 'ack', bytes: (received += data.length) });
    }
  });
  socket.on('close', () => fault !== 'shell-left' && program?.kill('SIGHUP'));
}

/** Dials back for a stream, and says what `send` says on its socket. */
function stream({ path, secret }, send) {
  const headers = { Authorization: `Bearer ${secret}` };
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers });
  socket.on('error', () => undefined);
  socket.on('open', () => send(socket));
}

/** Four bytes from FFD8 to FFD9: nobody draws it. */
const picture = Buffer.from({ camera: 'ffd80000', 'camera-byte': 'ff' }[fault] ?? 'ffd8ffd9', 'hex');
const camera = (frame) =>
  stream(frame, (socket) => {
    // Who does not read does not hear that nobody looks any more.
    if (fault === 'camera-left') socket.pause();
    const perSecond = fault === 'camera-rate' ? 50 : frame.parameters.per_second;
    const timer = setInterval(() => socket.send(picture), 1000 / perSecond);
    socket.on('close', () => clearInterval(timer));
  });

const topicList = { topics: [{ name: '/chatter', type: 'std_msgs/String', source: 'ros1://127.0.0.1:11311' }] };
const topics = (frame) =>
  stream(frame, (socket) => {
    socket.send(JSON.stringify(fault === 'topics' ? { topics: ['/chatter'] } : topicList));
    socket.close(1000);
  });
const topic = (frame) =>
  stream(frame, (socket) => {
    const { topic } = frame.parameters;
    const record = { topic, type: 'std_msgs/String', seq: 1, ts: new Date().toISOString(), msg: { data: 'hello' } };
    socket.send(JSON.stringify(fault === 'topic' ? { ...record, seq: undefined } : record));
  });
const streams = { shell, camera, topics, topic };

/** Gives the close code, or the status of a refused upgrade as a negative number, with its headers. */
function link() {
  const headers = { Authorization: `Bearer ${kept.robot_token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/agent/ws`, { headers, autoPong: fault !== 'pings' });
  const say = (frame) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(frame));
  const timers = [];
  let heardAt = Date.now();
  let sent = 0;
  let acknowledged = 0;
  let lineCount = 0;
  const every = (ms, work) => timers.push(setInterval(work, ms));
  const heard = () => (heardAt = Date.now());
  process.once('SIGTERM', () => (fault === 'sigterm' ? process.exit(1) : socket.close(1000)));
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, { statusCode, headers }) => resolve({ code: -statusCode, headers }));
    socket.on('error', () => resolve({ code: 1006, headers: {} }));
    socket.on('close', (code) => resolve({ code, headers: {} }));
    socket.on('pong', heard);
    socket.on('open', () => {
      const holding =
        fault === 'report-kept' ? [] : Object.entries(kept.orders).map(([order_id, end]) => ({ order_id, ...end }));
      const capabilities = {
        windows: true,
        logs: true,
        orders: true,
        kinds: ['file'],
        shell: true,
        cameras: ['front'],
        topics: true,
      };
      const hello = {
        type: 'hello',
        protocol: 1,
        agent_version: 'small/1',
        boot_id: 'boot',
        instance,
        capabilities,
        holding,
      };
      if (fault === 'frames') say({ type: 'report', order_id: 7 });
      if (fault === 'frames-first') say({ type: 'helo' });
      say(hello);
    });
    socket.on('message', (data) => {
      heard();
      const frame = parsed(data);
      if (frame?.type === 'logs_ack' && frame.spool === kept.spool) acknowledged = frame.seq;
      if (acknowledged > lineCount && fault !== 'logs-renumbered') {
        kept.spool = randomUUID();
        keep();
        sent = acknowledged = 0;
      }
      if (frame?.type === 'report_ack' && frame.result?.status === 'failed' && fault === 'report-refused')
        socket.close(1000);
      if (frame?.type === 'welcome') {
        if (fault === 'crash') process.kill(process.pid, 'SIGSEGV');
        if (fault === 'secrets') say({ type: 'heartbeat', health: `${key} ${kept.robot_token}` });
        if (fault === 'frames-status') say({ type: 'report', order_id: 'x', status: 'Applied' });
        if (fault === 'frames-large') say({ type: 'heartbeat', mood: 'good'.repeat(100_000) });
        if (fault === 'health') say({ type: 'heartbeat', health: { extra: { log: 'line '.repeat(4_000) } } });
        if (fault === 'flood')
          for (let i = 0; i < 400; i += 1) say({ type: 'running', lanes: {}, mood: 'good'.repeat(50_000) });
        if (fault === 'one-link') setTimeout(link, 500);
        if (fault === 'clock' && Date.parse(frame.server_time) > Date.now() + 1e9) socket.close(1000);
        if (fault !== 'heartbeats') every(frame.heartbeat_seconds * 1000, () => say({ type: 'heartbeat' }));
        else every(10, () => say({ type: 'heartbeat' }));
        every(100, () => {
          const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
          lineCount = lines.length;
          if (fault === 'logs-held') sent = acknowledged;
          const from = fault === 'logs-kept' ? Math.max(sent, globalThis.everSent ?? 0) : sent;
          const records = lines.map((message, index) => ({ seq: index + 1, message })).slice(from, from + 500);
          if (records.length === 0) return;
          const last = from + records.length;
          say({ type: 'logs', spool: kept.spool, from_seq: from + 1, to_seq: last, records });
          sent = fault === 'logs' ? 0 : last;
          globalThis.everSent = last;
        });
        every(10_000, () => {
          if (Date.now() - heardAt > 28_000 && fault !== 'dead-link') socket.terminate();
          socket.ping();
        });
      } else if (frame?.type === 'desired' && Array.isArray(frame.items)) take(frame.items, say);
      else if (frame?.type === 'rotate') rotate().catch(() => undefined);
      else if (frame?.type === 'open' && frame.kind in streams) streams[frame.kind](frame);
      else if (frame?.type === 'open')
        say({
          type: 'refused',
          session_id: frame.session_id,
          reason: fault === 'unsupported' ? 'busy' : 'unsupported',
        });
      else if (frame?.type === 'drain' && fault !== 'drain')
        setTimeout(() => socket.close(1000), fault === 'drain-at-once' ? 0 : Math.random() * frame.within_ms);
      else if (frame?.type === 'wave' && fault === 'unknown') socket.close(1008);
    });
  }).finally(() => timers.forEach(clearInterval));
}

function parsed(data) {
  try {
    return JSON.parse(data.toString());
  } catch (error) {
    if (fault === 'malformed') throw error;
    return undefined;
  }
}

let stopped = false;
process.once('SIGTERM', () => (stopped = true));
await enroll();
for (let ceiling = 2; ; ceiling = Math.min(ceiling * 2, 30)) {
  const { code, headers } = await link();
  if (stopped) process.exit(0);
  const ends = {
    4401: 'unauthorized',
    4403: 'forbidden',
    4426: 'protocol',
    '-401': 'refused',
    '-426': 'protocol-refused',
  };
  const isForNow = ('upgrade' in headers && fault !== 'proxy') || ('retry-after' in headers && fault !== 'suspended');
  if (code in ends && ends[code] !== fault && !isForNow) process.exit(fault === `${ends[code]}-silent` ? 0 : 1);
  const least = Number(
    fault === 'retry-after' ? 0 : (headers['retry-after'] ?? (code === 4409 && fault !== 'replaced' ? 30 : 0)),
  );
  await pause(fault === 'reconnect' ? 100 : (least + ceiling * (0.5 + Math.random() / 2)) * 1000);
}
