/**
 * What one answer of the platform may hold, whatever its bytes allow: the counts are several times those of the largest real
 * answers seen. Texts and lists are cut there; captions beyond are refused whole, since a cut transcript would not show it.
 */
export const bounds = {
  /** UTF-16 units of a title, a channel's name or a reason; the platform itself allows 100. */
  line: 500,
  /** UTF-16 units of a track's display name. */
  trackName: 100,
  /** UTF-16 units of an id, a date or a mark. */
  mark: 200,
  /** UTF-16 units of a signed address. */
  address: 8_192,
  /** Parts that one text may be joined from. */
  runs: 100,
  /** Caption tracks of a video; also its audio tracks, and what else is listed per track. */
  tracks: 300,
  translationLanguages: 600,
  /** Items of one page of a search or listing; the platform gives at most 100. */
  items: 1_000,
  /** Sections and tabs of one page, badges and thumbnails of one item. */
  parts: 50,
  /** Entries of a feed: the platform gives no more. */
  feedEntries: 15,
  /** The marks of a feed; a real one has a few thousand. */
  feedMarks: 30_000,
  /** UTF-16 units of a token for the next page; the longest seen has 1,368. */
  token: 4_096,
  /** Cues of one track: a cue a second for a whole day. */
  cues: 100_000,
  /** Brackets, tags and entities of one caption body: what costs a parser its time. A word of speech has about two. */
  marks: 600_000,
  /** Brackets and quotes of any other answer; the largest real one has 60,000. */
  answerMarks: 300_000,
  /** Elements within each other in a caption body; the formats need four. */
  depth: 16,
  /** Attributes of one element. */
  attributes: 32,
} as const;

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
