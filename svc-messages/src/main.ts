import { runService } from '@clinic/service-kit';
import { messagesService } from './service.ts';

await runService(messagesService);
