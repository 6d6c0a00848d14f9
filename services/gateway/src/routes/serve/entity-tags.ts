/** Whether a list of entity tags, or `*`, contains this one (RFC 9110, section 13.1). */
export const listsTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag].includes(tag.trim()));
