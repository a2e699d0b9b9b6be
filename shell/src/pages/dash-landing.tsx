import { Navigate, useSession } from '@clinic/app-kit';
import { landingPages } from '@clinic/contracts';
import { ErrorState } from '@clinic/ui';

/** /dash: redirects each role to its first page. */
export function DashLanding() {
  const { role, roleLoading, retryRole } = useSession();
  if (role) return <Navigate to={landingPages[role]} replace />;
  if (roleLoading) return <p className="text-muted">Loading...</p>;
  return (
    <ErrorState
      title="Your dashboard could not be opened"
      text="We could not find out what your role is."
      onRetry={retryRole}
    />
  );
}
