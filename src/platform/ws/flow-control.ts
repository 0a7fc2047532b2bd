import type { WebSocket } from 'ws';

/** By which somebody stops the reading of a socket; a WebSocket itself is the brake of who is alone with it. */
export interface FlowControl {
  pause(): void;
  resume(): void;
}

/**
 * Brakes of one socket, each for somebody else: it is read while nobody's is on. One that is closing is not stopped any more, or it would never hear
 * the answer; whoever ends a socket resumes it whatever the brakes say.
 */
export function flowControlOf(socket: Pick<WebSocket, 'pause' | 'resume' | 'readyState' | 'OPEN'>): () => FlowControl {
  const on = new Set<FlowControl>();
  return () => {
    const brake: FlowControl = {
      pause() {
        on.add(brake);
        if (socket.readyState === socket.OPEN) socket.pause();
      },
      resume() {
        on.delete(brake);
        if (on.size === 0) socket.resume();
      },
    };
    return brake;
  };
}
