/** Loaded before a server: tells whoever connects to a socket how long its event loop was blocked at most since the last time, in ms. */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 1;
const delays = monitorEventLoopDelay({ resolution: resolutionMs });
delays.enable();
createServer((socket) => {
  socket.end(String(Math.max(0, delays.max / 1e6 - resolutionMs)));
  delays.reset();
})
  .listen(process.env['BENCH_LOOP_SOCKET'])
  .unref();
