import type { JobRow } from '@tds/contracts';
import type { Delivered } from './outcomes.ts';

/** A job's rows never say `unavailable`: where there is no translation, none was requested (specification, part 2). */
const translationOf = ({ translation }: Delivered['language']): NonNullable<JobRow['translation']> =>
  translation === 'unavailable' ? 'not_requested' : translation;

/** What a row keeps of what was delivered, by the names of its columns. */
export const deliveryOf = ({ video, language, ...delivered }: Delivered) => ({
  title: video.title,
  published_at: video.published_at,
  credits_charged: delivered.charge,
  delivered_language: language.delivered,
  is_fallback: language.fallback,
  translation: translationOf(language),
  caption_kind: language.kind,
  strategy: delivered.strategy,
  transcript_id: delivered.transcriptId,
  object_key: delivered.objectKey,
  bytes: delivered.bytes,
  sha256: delivered.sha256,
  crc32: delivered.crc32,
});
