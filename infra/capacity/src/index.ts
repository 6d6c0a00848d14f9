export { capacityMarkdown } from './report.ts';
