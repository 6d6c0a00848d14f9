import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const folder = join(import.meta.dirname, '../../../../../shared/recordings');

/** Recorded answers are not part of the repository: the tests that read them skip themselves without them. */
export const describeWithRecordings = existsSync(folder) ? describe : describe.skip;

export const recording = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The body of a recorded player answer, out of its envelope where it has one. */
export const recordedPlayer = (name: string): string => {
  const recorded = JSON.parse(recording(name));
  return recorded.response ? recorded.response.responseBody : JSON.stringify(recorded);
};

export const playerRecordings = [
  { file: 'youtube-transcript-api/youtube.innertube.json.static', videoId: 'GJLlxj_dtq8' },
  { file: 'youtube-transcript-api/youtube_po_token_required.innertube.json.static', videoId: 'GJLlxj_dtq8' },
  { file: 'youtube-transcript-api/youtube_request_blocked.innertube.json.static', videoId: 'GJLlxj_dtq8' },
  { file: 'youtube-transcript-api/youtube_video_unavailable.innertube.json.static', videoId: 'GJLlxj_dtq8' },
  {
    file: 'youtube-transcript-api/youtube_transcripts_disabled.innertube.json.static',
    videoId: 'dsMFmonKDD4',
  },
  { file: 'pytubefix/QRS8MkLhQmM.player.json', videoId: 'QRS8MkLhQmM' },
  { file: 'pytubefix/m8uHb5jIGN8.player.json', videoId: 'm8uHb5jIGN8' },
  { file: 'pytubefix/WXxV9g7lsFE.player.json', videoId: 'WXxV9g7lsFE' },
  { file: 'newpipe-extractor/player/collaborators.1.json', videoId: '3sbYbckT1VY' },
  { file: 'newpipe-extractor/player/collaborators.3.json', videoId: '3sbYbckT1VY' },
  { file: 'newpipe-extractor/player/publicbroadcaster.1.json', videoId: 'cJ9to6EmElQ' },
  { file: 'newpipe-extractor/player/notavailable-privatecontent.1.json', videoId: '8VajtrESJzA' },
  { file: 'newpipe-extractor/player/notavailable-paidcontent.1.json', videoId: 'ayI2iBwGdxw' },
] as const;

const readParts = new Set(['playabilityStatus', 'videoDetails', 'captions', 'microformat']);
const unread = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The same without the insides of what no reader looks at, so that a mutation has something to hit. */
export const essentialPlayer = (name: string): string => {
  const recorded = JSON.parse(recordedPlayer(name));
  const pruned = (answer: object) =>
    Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [key, unread(value) && !readParts.has(key) ? {} : value]),
    );
  return JSON.stringify(
    recorded.playerResponse ? { playerResponse: pruned(recorded.playerResponse) } : pruned(recorded),
  );
};
