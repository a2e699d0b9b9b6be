import { joinCalls } from '@clinic/contracts/calls';
import { pharmacyRoutes } from './routes.ts';
import { pharmacySchemas } from './schemas.ts';

/** The calls of svc-pharmacy with their schemas. */
export const pharmacyCalls = joinCalls(pharmacyRoutes, pharmacySchemas);
