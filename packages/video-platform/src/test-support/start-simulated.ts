import type { Cue } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { startPlatformSimulator } from '@tds/simulators/platform';
import { defaultStrategies } from '../config/strategies.ts';
import { readCues } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { TrackChoice, VideoPlatformOptions } from '../types.ts';
import { createVideoPlatform, type VideoPlatform } from '../video-platform.ts';
import { factTtlSeconds } from './facts.ts';

/** A simulated platform, and adapters to it. */
export const startSimulated = async () => {
  const simulator = await startPlatformSimulator();
  const opened: VideoPlatform[] = [];
  const closeAll = () => Promise.all(opened.splice(0).map((platform) => platform.close()));
  return {
    simulator,
    /** An adapter with its own health. */
    open: (options: Partial<VideoPlatformOptions> = {}): VideoPlatform => {
      const platform = createVideoPlatform({ origin: simulator.origin, ...options });
      opened.push(platform);
      return platform;
    },
    /** Resets faults and records between tests. */
    reset: async () => {
      await closeAll();
      simulator.faults.clear();
      simulator.resetRequests();
    },
    stop: async () => {
      await closeAll();
      await simulator.close();
    },
  };
};
export type Simulated = Awaited<ReturnType<typeof startSimulated>>;

/** Short deadlines for answers that never come; other answers get the usual ones, since a busy machine is slow. */
export const shortTimeouts = { attemptMs: 400, headersMs: 300, bodyIdleMs: 300 };

export const rows = (...names: readonly string[]) =>
  defaultStrategies.filter((row) => names.includes(row.name));

type Delivery = { choice: TrackChoice; cues: readonly Cue[] };

export const deliver = async (platform: VideoPlatform, videoId: string, language = 'en'): Promise<Delivery> => {
  const inspection = await platform.inspectVideo(videoId, { language }, {});
  const choice = chooseTrack(inspection, { language, fallback: true });
  return { choice, cues: await platform.fetchTrack(inspection, choice, {}, readCues) };
};

/** The simulator's word for an outcome. */
/** What is not ready, or could not be confirmed. */
const mayPass = ({ code, data }: ServiceError): boolean => code === 'transcript_not_ready' || data.retryable;

export const toOutcome = (thrown: unknown): string => {
  if (!(thrown instanceof ServiceError)) return `untyped: ${thrown}`;
  return factTtlSeconds(thrown) === null || !mayPass(thrown) ? thrown.errorClass : 'NotYet';
};
