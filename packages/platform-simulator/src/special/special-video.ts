import type { Video } from '../catalogue/video.ts';
import type { Endpoint, FaultName } from '../faults/fault.ts';
import type { ClientName } from '../wire/clients.ts';

/**
 * What a correct reader concludes: a transcript, or a class of failure. `NotYet` is neither: the video may have
 * captions later, so nothing durable may be recorded.
 */
export type Outcome =
  | 'Transcript'
  | 'NoCaptions'
  | 'Unavailable'
  | 'NotYet'
  | 'IpBlocked'
  | 'RateLimited'
  | 'PoTokenRequired'
  | 'UpstreamError';

export type Expectation = { outcome: Outcome; note?: string };

export type SpecialVideo = {
  id: string;
  title?: string;
  /** What the platform does, in words. */
  behaviour: string;
  expect: Expectation;
};

/** A fault that a special video always has. Without an endpoint it hits those that the fault can apply to. */
export type StandingFault = {
  fault: FaultName;
  endpoint?: Endpoint;
  client?: ClientName;
  latencyMs?: number;
};

/** A special video with what makes it so; rows without `video` and `faults` are plain videos with an apt id. */
export type SpecialRow = SpecialVideo & { video?: Partial<Video>; faults?: readonly StandingFault[] };

export const transcript = (note?: string): Expectation => expecting('Transcript', note);
export const expecting = (outcome: Outcome, note?: string): Expectation =>
  note === undefined ? { outcome } : { outcome, note };
