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
      heading
      title="We couldn’t open your dashboard"
      text="We couldn’t check your role."
      onRetry={retryRole}
    />
  );
}
