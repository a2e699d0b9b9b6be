import { Navigate, useSession } from '@clinic/app-kit';
import { landingPageOf, rights, type Right } from '@clinic/contracts';
import { Unreachable } from '../guards/unreachable.tsx';

/** Where somebody starts who isn't a patient only. */
const landingsOfRights: Readonly<Record<Right, string>> = { reception: '/dash/reception', stock: '/dash/medicine' };

/** /dash: redirects each role to its first page, and patients who work here to that of their work. */
export function DashLanding() {
  const { role, rights: held, roleLoading, retryRole } = useSession();
  const work = role === 'patient' ? rights.find((right) => held?.includes(right)) : undefined;
  if (role) return <Navigate to={work ? landingsOfRights[work] : landingPageOf(role)} replace />;
  if (roleLoading) return <p className="text-muted">Loading...</p>;
  return <Unreachable what="dashboard" onRetry={retryRole} />;
}
