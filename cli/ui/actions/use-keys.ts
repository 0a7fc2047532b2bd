import { useStdin } from 'ink';
import { useEffect } from 'react';
import { keystrokeOf, type Keystroke } from './keys.ts';

/** Passes each key and each pasted text to `take`, while the component is mounted. */
export function useKeys(take: (keystroke: Keystroke) => void): void {
  // The emitter is internal to Ink, whose key names are not usable here: see keys.ts.
  const { internal_eventEmitter: input, setRawMode } = useStdin();
  useEffect(() => {
    setRawMode(true);
    return () => setRawMode(false);
  }, [setRawMode]);
  useEffect(() => {
    const listen = (piece: string) => {
      const keystroke = keystrokeOf(piece);
      if (keystroke) take(keystroke);
    };
    input.on('input', listen);
    return () => void input.off('input', listen);
  }, [input, take]);
}
