export type { AuthorizationServer } from './authorization-server.ts';
export { discoveryDocuments, oauthRoutes, SERVER_METADATA_PATH } from './oauth-paths.ts';
