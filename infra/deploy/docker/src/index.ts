export { composeFile } from './compose-file.ts';
export { type Network, networksOf, PORTS } from './networks.ts';
export { takenPorts } from './published-ports.ts';
