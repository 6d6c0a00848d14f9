const SECOND = 1000;
const MEBIBYTE = 1024 * 1024;

/** Every bound of the adapter. Bytes are counted after decompression, the budget's on the wire. */
export const defaultLimits = {
  connectMs: 3 * SECOND,
  headersMs: 8 * SECOND,
  /** Longest pause between two chunks of a body. */
  bodyIdleMs: 5 * SECOND,
  /** One request from connect to its last byte. */
  attemptMs: 10 * SECOND,
  /** The same for the single request that tries an open circuit again. */
  probeMs: 3 * SECOND,
  /** One call of inspectVideo or fetchTrack with all its attempts. */
  callMs: 40 * SECOND,
  /** How long somebody who has a video otherwise waits for its date. */
  dateMs: 2 * SECOND,
  attemptsPerCall: 6,
  playerBytes: 4 * MEBIBYTE,
  watchBytes: 8 * MEBIBYTE,
  /** A page of a search, a listing or the Data API. */
  pageBytes: 8 * MEBIBYTE,
  /** Fifteen entries, each with a description of 5,000 characters at most, are a third of it. */
  feedBytes: MEBIBYTE,
  timedtextBytes: 16 * MEBIBYTE,
  /** Route failures in a row that open a circuit; half of the last 20 requests open it too. */
  failuresToOpen: 3,
  /** How long a circuit stays open: at first, after the first failed probe, and so on; the last one repeats. */
  circuitWaitsMs: [1, 2, 4, 8, 16, 30].map((seconds) => seconds * SECOND) as readonly number[],
};
export type Limits = typeof defaultLimits;
