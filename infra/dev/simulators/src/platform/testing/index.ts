export { channelVideoIds, expectedCues } from './expected.ts';
export * from './start-exit-gateway.ts';
