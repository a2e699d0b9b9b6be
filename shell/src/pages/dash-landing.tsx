import { Navigate, useSession } from '@clinic/app-kit';
import { landingPageOf } from '@clinic/contracts';
import { Unreachable } from '../guards/unreachable.tsx';

/** /dash: redirects each role to its first page. */
export function DashLanding() {
  const { role, roleLoading, retryRole } = useSession();
  if (role) return <Navigate to={landingPageOf(role)} replace />;
  if (roleLoading) return <p className="text-muted">Loading...</p>;
  return <Unreachable what="dashboard" onRetry={retryRole} />;
}
