import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What a wire does with its connections, also with open ones. `refuse`: ends them. `silent`: keeps them, and passes nothing until
 * it passes again, like a network that lost its route. `delayMs`: later bytes arrive so much later. `response`: the target gets
 * nothing; the client gets this text and the end of the connection.
 */
export type WireMode = 'pass' | 'refuse' | 'silent' | { delayMs: number } | { response: string };

/** A TCP proxy to a port of this machine. */
export interface Wire extends AsyncDisposable {
  port: number;
  mode: WireMode;
}

export async function startWire(targetPort: number): Promise<Wire> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let mode: WireMode = 'pass';

  function destroy({ near, far }: { near: Socket; far: Socket }): void {
    near.destroy();
    far.destroy();
  }

  function pass(from: Socket, to: Socket): void {
    const waiting: (Buffer | undefined)[] = []; // undefined: the end
    const next = () => {
      const bytes = waiting.shift();
      if (to.destroyed) return;
      if (bytes === undefined) return void to.end();
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => mode !== 'silent' && from.resume());
    };
    const add = (bytes?: Buffer) => {
      waiting.push(bytes);
      const delayMs = typeof mode === 'object' && 'delayMs' in mode ? mode.delayMs : 0;
      if (delayMs === 0 && waiting.length === 1) next();
      else setTimeout(next, delayMs);
    };
    from.on('data', add).on('end', () => add());
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => undefined);
    if (mode === 'refuse') return void near.destroy();
    if (typeof mode === 'object' && 'response' in mode) return respond(near, mode.response);
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { near, far };
    pairs.add(pair);
    far.on('error', () => destroy(pair));
    for (const socket of [near, far])
      socket.on('close', () => {
        destroy(pair);
        pairs.delete(pair);
      });
    pass(near, far);
    pass(far, near);
    if (mode === 'silent') for (const socket of [near, far]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
      const ends = next === 'refuse' || (typeof next === 'object' && 'response' in next);
      for (const pair of pairs)
        if (ends) destroy(pair);
        else
          for (const socket of [pair.near, pair.far])
            if (next === 'silent') socket.pause();
            else socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) destroy(pair);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the request, as a client that is still sending would see a reset. */
function respond(near: Socket, text: string): void {
  near.once('data', () => near.end(text));
  near.resume();
}
