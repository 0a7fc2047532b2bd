import { limits } from '../../../generated/protocol.js';
import type { RosSource } from '../ros/source.ts';
import type { CameraSource } from './source.ts';
import { tooLarge } from './split.ts';
import { wholeJpeg } from './jpeg-scanner.ts';

const compressed = 'sensor_msgs/CompressedImage';
/** A publisher may be slow; the graph reports a topic without a publisher before this. */
const silentAfterMs = 30_000;

interface RosCamera {
  topic: string;
  /** The graph of the topic; undefined when the agent has no graph. */
  graph: RosSource | undefined;
}

/** Pictures that a ROS node already publishes; they are passed on unchanged. */
export function rosCamera({ topic, graph }: RosCamera): CameraSource {
  return {
    silentAfterMs,
    start(on) {
      let isOver = false;
      let leave: (() => void) | undefined;
      const stop = () => {
        isOver = true;
        leave?.();
        leave = undefined;
      };
      const failed = (reason: string) => {
        if (isOver) return;
        stop();
        on.failed(reason);
      };
      if (graph) {
        leave = graph.subscribe(topic, {
          message(type, message) {
            if (isOver) return;
            if (type !== compressed) return failed(`${topic} has messages of type ${type}, not ${compressed}`);
            const { data, format } = message as { data?: unknown; format?: unknown };
            if (!(data instanceof Uint8Array)) return on.broken();
            if (data.byteLength > limits.maxCameraFrameBytes) return failed(tooLarge(data.byteLength));
            const picture = wholeJpeg(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
            if (picture) on.picture(Buffer.from(picture));
            else if (typeof format === 'string' && !/jpe?g/i.test(format))
              failed(`${topic} has pictures in a format other than JPEG`);
            else on.broken();
          },
          status: (_level, message) => on.hint(message),
        });
      } else queueMicrotask(() => failed('the agent has no ROS graph: start it with --ros'));
      return { pace: () => undefined, stop: async () => stop() };
    },
  };
}
