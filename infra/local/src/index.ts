export { endingSignal } from './ending.ts';
export { environments, type ServerAddresses } from './environments.ts';
export { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
export { ensureObjectsDatabase } from './objects-database.ts';
export { type Servers, startServers } from './servers.ts';
export { loadServices, loadSurfaces, serviceNames, storedServiceNames } from './services.ts';
export { createSupervisor, type Supervisor } from './supervisor.ts';
export type { Endpoints } from './system.ts';
