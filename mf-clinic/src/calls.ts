import { addCalls } from '@clinic/app-kit';
import { clinicRoutes } from '@clinic/svc-clinic/contract';

addCalls(clinicRoutes);
