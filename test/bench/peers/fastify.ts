/**
 * The peer of H1 and H2 as a program. DATABASE_URL names its database. It listens on a free port of 127.0.0.1 and logs
 * that address in its "ready" line.
 */
import { startPeer } from './fastify-app.ts';

const { app, url } = await startPeer({ connection: process.env['DATABASE_URL'] ?? '', logLevel: 'info' });
process.once('SIGTERM', () => void app.close());
app.log.info({ url }, 'ready');
