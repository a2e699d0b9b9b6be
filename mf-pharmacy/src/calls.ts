import { addCalls } from '@clinic/app-kit';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';

addCalls(pharmacyCalls);
