import { addCalls } from '@clinic/app-kit';
import { pharmacyRoutes } from '@clinic/svc-pharmacy/contract';

addCalls(pharmacyRoutes);
