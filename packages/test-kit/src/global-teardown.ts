import { stopSharedServers } from './shared-servers.ts';

// Jest wants a default export here.
export default stopSharedServers;
