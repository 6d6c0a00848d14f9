/**
 * SQL for the next version of a row whose events carry it, from that of now (in SQL functions: `messaging.next_version`). It is
 * never below the milliseconds since 1970, so that a database that goes back goes on above all that others have seen.
 */
export const nextVersion = (version: string): string => `messaging.next_version(${version})`;
