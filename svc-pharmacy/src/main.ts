import { runService } from '@clinic/service-kit';
import { pharmacyService } from './service.ts';

await runService(pharmacyService);
