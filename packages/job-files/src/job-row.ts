import type { LanguageDelivery, ManifestRow } from '@tds/contracts';

/** What was delivered for a row; null where nothing was. */
export const languageOf = (row: ManifestRow): LanguageDelivery | null => {
  const { delivered_language: delivered, caption_kind: kind, fallback, translation } = row;
  if (row.object_key === null || delivered === null || kind === null) return null;
  if (fallback === null || translation === null) return null;
  return { requested: row.requested_language, delivered, kind, fallback, translation };
};
