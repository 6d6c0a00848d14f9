export { disconnectApp } from './connections.ts';
export { findConnection } from './store/connections.ts';
export { deleteRecordsOfAccount } from './store/grant-records.ts';
