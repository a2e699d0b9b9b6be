import { runService } from '../index.ts';
import { shopService } from './shop-service.ts';

await runService(shopService);
