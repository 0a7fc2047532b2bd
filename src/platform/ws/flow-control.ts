import type { WebSocket } from 'ws';

/** Pauses the reading of a socket. Code that is alone with a WebSocket uses the WebSocket itself. */
export interface FlowControl {
  pause(): void;
  resume(): void;
}

/**
 * Flow control for several users of one socket: it is read while none of them pauses it. A socket that is closing is not paused any more, or it would
 * never receive the close of the other end; code that ends a socket resumes it in any case.
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
