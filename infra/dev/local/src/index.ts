export {
  ensureObjectsDatabase,
  loadServices,
  loadSurfaces,
  serviceNames,
  storedServiceNames,
} from '@tds/provisioning';
export { type MailCatcher, startMailCatcher } from '@tds/simulators/mail';
export { endingSignal } from './ending.ts';
export { environments, paymentSecretOf, type ServerAddresses } from './environments.ts';
export {
  databaseNames,
  type PostgresCount,
  postgresOf,
  type ServerPlaces,
  serversAt,
} from './installation.ts';
export {
  type Instance,
  type InstanceCounts,
  listInstances,
  toProcessSpec,
} from './instances.ts';
export { kubernetesSecrets } from './kubernetes-secrets.ts';
export { scrapeTargetsIn } from './scrape-targets.ts';
export { type Servers, startServers } from './servers.ts';
export { startServices } from './start-services.ts';
export { createSupervisor, type ProcessSpec, type Supervisor } from './supervisor.ts';
export type { Endpoints } from './system.ts';
export { untilAllReady } from './until-ready.ts';
