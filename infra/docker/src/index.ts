export { composeFile } from './compose-file.ts';
