import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerSources } from '@tds/simulators/platform/answers';
import { Log, Parser } from 'youtubei.js';
import { RefusedAnswer } from './classification/refusal.ts';
import { readPlayer } from './player/read-player.ts';
import { listPlayers } from './test-support/players.ts';

type ReadVideo = { details: [string, number] | null; tracks: object[]; translations: string[] };

const ours = (body: string, videoId: string): ReadVideo => {
  try {
    const { captions, video } = readPlayer(body, videoId, new Date());
    return {
      details: [video.title ?? '', video.duration ?? 0],
      tracks: captions.tracks.map(({ languageCode, kind, name, vssId, isTranslatable, path }) => ({
        languageCode,
        kind,
        name,
        vssId,
        isTranslatable,
        path,
      })),
      translations: [...captions.translationLanguages],
    };
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) return { details: null, tracks: [], translations: [] };
    throw thrown;
  }
};

/** The same fields as read by a library with hundreds of hand-written parsers, offline. */
const theirs = (body: string): ReadVideo => {
  const answer = JSON.parse(body);
  const parsed = Parser.parseResponse(answer.playerResponse ?? answer);
  const isPlayable = parsed.playability_status?.status === 'OK';
  const details = parsed.video_details;
  return {
    details: isPlayable ? [details?.title ?? '', details?.duration ?? 0] : null,
    tracks: (parsed.captions?.caption_tracks ?? []).map((track) => ({
      languageCode: track.language_code,
      kind: track.kind ?? 'manual',
      name: track.name.toString(),
      vssId: track.vss_id,
      isTranslatable: track.is_translatable,
      path: track.base_url.replace(/^https:\/\/[^/]+/, ''),
    })),
    translations: (parsed.captions?.translation_languages ?? []).map((language) => language.language_code),
  };
};

describe.each(answerSources)('an unrelated reader of the same bytes, $name', (answers) => {
  beforeAll(() => Log.setLevel(Log.Level.NONE));

  it.each(listPlayers(answers))('agrees on details, tracks and translations: $file', ({ file, videoId }) => {
    const body = answers.body(file);
    expect(ours(body, videoId)).toEqual(theirs(body));
  });
});
