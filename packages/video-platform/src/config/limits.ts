/**
 * Limits of the contents of one answer, several times those of the largest real answers seen. Texts and lists are cut; captions beyond
 * a limit are rejected whole, since a cut transcript would not show it.
 */
export const bounds = {
  /** UTF-16 units of a title, a channel's name or a reason; the platform itself allows 100. */
  line: 500,
  /** UTF-16 units of a track's display name. */
  trackName: 100,
  /** UTF-16 units of an id, a date or a label. */
  mark: 200,
  /** UTF-16 units of a signed address. */
  address: 8_192,
  /** Parts of one text. */
  runs: 100,
  /** Caption tracks of a video; also its audio tracks and other lists per track. */
  tracks: 300,
  translationLanguages: 600,
  /** Items of one page of a search or listing; the platform gives at most 100. */
  items: 1_000,
  /** Sections and tabs of one page, badges and thumbnails of one item. */
  parts: 50,
  /** Entries of a feed: the platform sends no more. */
  feedEntries: 15,
  /** Brackets, tags and entities of a feed; a real one has a few thousand. */
  feedMarks: 30_000,
  /** UTF-16 units of a token for the next page; the longest seen has 1,368. */
  token: 4_096,
  /** Cues of one track: a cue a second for a whole day. */
  cues: 100_000,
  /** Brackets, tags and entities of one caption body. A word of speech has about two. */
  marks: 600_000,
  /** Brackets and quotes of any other answer; the largest real one has 60,000. */
  answerMarks: 300_000,
  /** Nested elements of a caption body; the formats need four. */
  depth: 16,
  /** Attributes of one element. */
  attributes: 32,
} as const;

const SECOND = 1000;
const MEBIBYTE = 1024 * 1024;

/** Limits of requests. Bytes are counted after decompression, those of the budget on the wire. */
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
  /** The longest wait for the publish date of a video whose captions are known. */
  dateMs: 2 * SECOND,
  attemptsPerCall: 6,
  /** Requests a minute of one address: of a fixed exit, or of one session of a rotating exit. */
  requestsPerMinute: Number.POSITIVE_INFINITY,
  /** A request waits so long for its turn; if it took longer, the caller is asked to come again. */
  paceWaitMs: 30 * SECOND,
  /** Addresses of a rotating exit that one request tries: nine of ten may be blocked. */
  sessionsPerRequest: 10,
  /** A session ends after so many requests, or after this time, so that no address is asked too often. */
  requestsPerSession: 20,
  sessionMs: 9 * 60 * SECOND,
  playerBytes: 4 * MEBIBYTE,
  watchBytes: 8 * MEBIBYTE,
  /** A page of a search, a listing or the Data API. */
  pageBytes: 8 * MEBIBYTE,
  /** Three times the largest feed: fifteen entries with descriptions of 5,000 characters. */
  feedBytes: MEBIBYTE,
  timedtextBytes: 16 * MEBIBYTE,
  /** Route failures in a row that open a circuit; half of the last 20 requests open it too. */
  failuresToOpen: 3,
  /** How long a circuit stays open: at first, after the first failed probe, and so on; the last value repeats. */
  circuitWaitsMs: [1, 2, 4, 8, 16, 30].map((seconds) => seconds * SECOND) as readonly number[],
};
export type Limits = typeof defaultLimits;
