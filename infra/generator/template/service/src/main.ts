import { runService } from '@tds/service-kit';
import { service } from './index.ts';

await runService(service, process.env);
