import { runService } from '@tds/service-kit';
import { gateway } from './index.ts';

await runService(gateway, process.env);
