import { runService } from '@clinic/service-kit';
import { identityService } from './service.ts';

await runService(identityService);
