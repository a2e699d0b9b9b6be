import { joinCalls } from '@clinic/contracts/calls';
import { clinicRoutes } from './routes.ts';
import { clinicSchemas } from './schemas.ts';

/** The calls of svc-clinic with their schemas. */
export const clinicCalls = joinCalls(clinicRoutes, clinicSchemas);
