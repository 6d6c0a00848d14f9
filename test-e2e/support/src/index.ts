export { checkSecrets, type Places } from './canaries.ts';
export { type DiskImage, mountDiskImage, unmountBelow, whyNoDiskImages } from './disk-image.ts';
export { fairWeather, type ServerName, type Weather } from './network.ts';
export { createRandom, type Random } from './random.ts';
export { readCounter, readMetrics, sumOf } from './scrape.ts';
export { type ScratchSystem, startScratchSystem } from './scratch-system.ts';
export type { ServiceProcess } from './service-process.ts';
export { sleep, until } from './until.ts';
