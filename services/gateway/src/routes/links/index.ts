export { linkRoutes } from './links.ts';
