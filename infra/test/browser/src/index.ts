export type { Page } from 'playwright-core';
export { fineLooks, startBrowser, story, Visitor } from './visitor.ts';
