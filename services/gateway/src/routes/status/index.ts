export { statusRoutes } from './status.ts';
