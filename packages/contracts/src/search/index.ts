export * from './contract.ts';
export * from './listing-commands.ts';
export * from './search-commands.ts';
