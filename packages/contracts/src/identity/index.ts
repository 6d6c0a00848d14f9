export * from './account-commands.ts';
export * from './connection-commands.ts';
export * from './contract.ts';
export * from './key-commands.ts';
export * from './mail-commands.ts';
export * from './notices.ts';
export * from './people-commands.ts';
export * from './sign-in-commands.ts';
