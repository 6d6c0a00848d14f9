import type { Sql } from '@tds/base';
import { type CaptionTrack, utcDay } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { Scope } from '../../credits/domain/cold-caps.ts';
import type { NegativeFact } from '../../domain/transcript.ts';
import type { Database } from '../../store/database.ts';
import type { VideoRow } from './transcripts.ts';

export type KnownLanguages = {
  readonly tracks: readonly CaptionTrack[];
  readonly original: string | null;
  readonly isTranslatable: boolean;
  readonly checkedAt: Date;
};

type LanguageFacts = {
  /** A fact about the video, perhaps of the past. */
  readonly fact: NegativeFact | null;
  /** Null if the platform was not asked. */
  readonly languages: KnownLanguages | null;
};

/** What is known of a video's languages. */
export const findLanguages = async (db: Database, id: string): Promise<LanguageFacts> => {
  const video = await db.video.findUnique({ where: { id } });
  if (video === null) return { fact: null, languages: null };
  const { fact, factExpiresAt: expiresAt, factRetryAt: retryAt, tracksAt: checkedAt } = video;
  return {
    fact: fact === null ? null : { error: fact as ServiceErrorData, expiresAt, retryAt },
    languages: checkedAt && {
      tracks: video.captionTracks as CaptionTrack[],
      original: video.originalLanguage,
      isTranslatable: video.translatable === true,
      checkedAt,
    },
  };
};

const COUNT = { name: 'count-question', text: 'SELECT full_scope AS "full" FROM count_cold($1, $2, 1)' };

/** Counts one of the day in all scopes; returns the first that is full, and then counts in none. */
export const countQuestion = async (sql: Sql, scopes: readonly Scope[], now: Date): Promise<string | null> => {
  const counters = JSON.stringify(scopes.map(({ name, limit }) => ({ name, most: limit })));
  return (await sql<{ full: string | null }>(COUNT, [counters, utcDay(now)]))[0]?.full ?? null;
};

const SAVE = { name: 'save-video', text: 'SELECT save_videos($1)' };

export const saveVideo = async (sql: Sql, row: VideoRow): Promise<void> => {
  await sql(SAVE, [JSON.stringify([row])]);
};
