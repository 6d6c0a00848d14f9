/** How many operations and settlements of transcript-fetcher are still open. */
export const OPEN_OPERATIONS = `
  SELECT (SELECT count(*) FROM operations WHERE ended_at IS NULL)::int + (SELECT count(*) FROM settlements)::int AS count`;
