export { type Config, loadConfigs, provisionerVariables } from './configs.ts';
export { type AdminUrl, adminUrlOf, type Databases, databaseUrls } from './database-urls.ts';
export { ensureDatabases } from './ensure-databases.ts';
export { messageMapMarkdown } from './message-map.ts';
export { ensureObjectsDatabase } from './objects-database.ts';
export { loadServices, loadSurfaces, serviceNames, storedServiceNames } from './services.ts';
