import { startSharedServers } from './shared-servers.ts';

// Jest wants a default export here.
export default startSharedServers;
