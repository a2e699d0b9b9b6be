import { runService } from '@clinic/service-kit';
import { {{camel}}Service } from './service.ts';

await runService({{camel}}Service);
