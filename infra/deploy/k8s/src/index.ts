export { kubernetesFiles } from './files.ts';
export { baseSettings, type Overlay, overlays, type Places, placesOf, settingsOf } from './places.ts';
