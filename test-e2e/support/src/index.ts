export { checkSecrets, type Places } from './canaries.ts';
export { type ComposeProject, startComposeProject } from './containers/compose-project.ts';
export { startContainerSystem } from './containers/container-system.ts';
export { findAddress } from './containers/docker.ts';
export { forwardWebhooks } from './containers/forward-webhooks.ts';
export { type Customer, call, signUpAt } from './customer.ts';
export {
  type DiskImage,
  findDiskImageProblem,
  mountDiskImage,
  unmountBelow,
} from './disk-image.ts';
export type { HurtBroker, HurtPostgres, HurtServer, HurtSystem } from './hurt-system.ts';
export { type Installation, installationSetting } from './installed-system.ts';
export { fairWeather, type ServerName, type Weather } from './network.ts';
export { countOpenWork } from './open-work.ts';
export { type OutsidePlace, outsideAt, settingsOf } from './outside-place.ts';
export { createRandom, type Random } from './random.ts';
export { readCounter, readMetrics, sumMetric } from './scrape.ts';
export { type ScratchSystem, startScratchSystem } from './scratch-system.ts';
export type { ServiceProcess } from './service-process.ts';
export { sleep, until } from './until.ts';
