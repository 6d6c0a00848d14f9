export * from './batch-commands.ts';
export * from './contract.ts';
export * from './library-commands.ts';
export * from './link-commands.ts';
export * from './render-commands.ts';
export * from './transcript-commands.ts';
export * from './words-commands.ts';
