export * from './contract.ts';
export { readerFeed } from './feed-commands.ts';
