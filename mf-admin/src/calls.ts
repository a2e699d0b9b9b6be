import { addCalls } from '@clinic/app-kit';
import { clinicRoutes } from '@clinic/svc-clinic/contract';
import { identityRoutes } from '@clinic/svc-identity/contract';
import { invitationRoutes } from '@clinic/svc-identity/contract/invitation-routes';
import { pharmacyRoutes } from '@clinic/svc-pharmacy/contract';

addCalls({ ...identityRoutes, ...invitationRoutes, ...clinicRoutes, ...pharmacyRoutes });
