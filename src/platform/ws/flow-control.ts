import type { WebSocket } from 'ws';

/** Pauses reading from a socket. Code that is the only user of a WebSocket uses the WebSocket itself. */
export interface FlowControl {
  pause(): void;
  resume(): void;
}

/**
 * Flow control for several users of one socket: it is read while none of them pauses it. A closing socket is not paused
 * any more, or it would never receive the close frame of the peer. Code that ends a socket always resumes it.
 */
export function flowControlOf(socket: Pick<WebSocket, 'pause' | 'resume' | 'readyState' | 'OPEN'>): () => FlowControl {
  const paused = new Set<FlowControl>();
  return () => {
    const control: FlowControl = {
      pause() {
        paused.add(control);
        if (socket.readyState === socket.OPEN) socket.pause();
      },
      resume() {
        paused.delete(control);
        if (paused.size === 0) socket.resume();
      },
    };
    return control;
  };
}
