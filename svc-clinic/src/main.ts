import { runService } from '@clinic/service-kit';
import { clinicService } from './service.ts';

await runService(clinicService);
