const timeWithoutZone = /T[\d:.]+$/;
const calendarDay = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day (YYYY-MM-DD) of an ISO 8601 time, or null where it is unknown or unreadable. */
export const publishedDay = (publishedAt: string | null): string | null => {
  if (publishedAt === null) return null;
  const published = new Date(timeWithoutZone.test(publishedAt) ? `${publishedAt}Z` : publishedAt);
  if (Number.isNaN(published.getTime())) return null;
  const day = published.toISOString().slice(0, 10);
  return calendarDay.test(day) ? day : null;
};
