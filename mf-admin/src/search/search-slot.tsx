import { defineSlotModule, Link, useCall, useSession, type SlotProps } from '@clinic/app-kit';
import { roleLabels } from '@clinic/contracts';
import { knownLabel } from '@clinic/contracts/known-words';
import { SearchResults } from '@clinic/ui/search-results';
import { fullName } from '../users/user-names.ts';
import '../setup.ts';

/** Rows: more are in the list itself. */
const most = 5;

/** Accounts that a search names, for admins. */
function FoundAccounts({ q }: SlotProps['search']) {
  const admin = useSession().role === 'admin';
  const users = useCall('listUsers', { query: { q, limit: most } }, { enabled: admin });
  if (!admin) return null;
  return (
    <SearchResults
      title="Accounts"
      component={Link}
      rows={users.data?.map((user) => ({
        key: user._id,
        to: `/dash/admin?q=${encodeURIComponent(user.email)}`,
        name: fullName(user),
        text: `${knownLabel(roleLabels, user.role)} · ${user.email}`,
      }))}
      failure={users.error?.message}
      onRetry={() => void users.refetch()}
    />
  );
}

/** This remote's part of the search of staff. */
export default defineSlotModule<'search'>({ Component: FoundAccounts });
