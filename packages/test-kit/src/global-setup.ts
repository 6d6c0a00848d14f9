/** What Vitest runs before the first and after the last test of a project that uses servers. */
export { startSharedServers as setup, stopSharedServers as teardown } from '@tds/servers/testing';
