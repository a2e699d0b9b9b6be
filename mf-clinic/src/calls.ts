import { addCalls } from '@clinic/app-kit';
import { clinicCalls } from '@clinic/svc-clinic/contract';

addCalls(clinicCalls);
