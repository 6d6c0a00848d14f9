import { runService } from '@tds/service-kit';
import { creditsLedger } from './index.ts';

await runService(creditsLedger, process.env);
