/** For whoever runs the services: what they may not make or decide themselves. */
export { type ProvisionerOptions, startProvisioner } from './broker/provisioner.ts';
export { eventStreamName } from './broker/streams.ts';
