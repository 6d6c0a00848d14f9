import { stopSharedServers } from '@tds/servers/testing';

// Jest wants a default export here.
export default stopSharedServers;
