import { runService } from '@tds/service-kit';
import { identity } from './index.ts';

await runService(identity, process.env);
