import { runService } from '@tds/kit';
import { service } from './index.ts';

await runService(service, process.env);
