import type { Sql } from '@tds/base';

export type StoredPassage = {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Its lexemes as a `tsvector`. */
  readonly vector: string;
};

const SAVE = {
  name: 'save-passages',
  text: `
    INSERT INTO passages (transcript_id, position, start_ms, end_ms, text, words)
    SELECT $1, p.position, p.start_ms, p.end_ms, p.text, p.vector::tsvector
    FROM unnest($2::int[], $3::int[], $4::text[], $5::text[]) WITH ORDINALITY AS p (start_ms, end_ms, text, vector, position)
    ON CONFLICT DO NOTHING`,
};

/** Saves the passages of a transcript for all accounts, unless it has them. */
export const savePassages = async (
  sql: Sql,
  transcriptId: string,
  passages: readonly StoredPassage[],
): Promise<void> => {
  const column = <Name extends keyof StoredPassage>(name: Name) => passages.map((each) => each[name]);
  await sql(SAVE, [transcriptId, column('startMs'), column('endMs'), column('text'), column('vector')]);
};
