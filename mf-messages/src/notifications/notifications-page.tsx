import { definePage, useConfig } from '@clinic/app-kit';
import { usePagedCall } from '@clinic/app-kit/records';
import { PageHeader } from '@clinic/ui';
import { PagedTable } from '@clinic/ui/paged-table';
import { useMemo } from 'react';
import { AddressNotice } from './address-notice.tsx';
import { ownColumns } from './own-columns.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import '../setup.ts';

/** My Notifications (`/dash/notifications`): what the signed-in person was sent, and what they want to be sent. */
export function NotificationsPage() {
  const { clinicTimeZone } = useConfig();
  const messages = usePagedCall('listOwnMessages', {});
  const columns = useMemo(() => ownColumns(clinicTimeZone), [clinicTimeZone]);
  return (
    <>
      <PageHeader
        title="My Notifications"
        count={messages.total}
        description="What we’ve emailed you, and what you want us to email."
      />
      <div className="grid gap-8">
        <AddressNotice />
        <section aria-label="Messages to me">
          <PagedTable
            caption="Messages to me"
            page={messages}
            rows={messages.rows}
            failure="Error loading your messages"
            columns={columns}
            rowKey={({ _id }) => _id}
            empty={{
              title: 'No messages yet',
              text: 'When we email you about an appointment or an order, it’s listed here.',
              icon: 'mail',
            }}
          />
        </section>
        <PreferencesSection />
      </div>
    </>
  );
}

export default definePage({ Component: NotificationsPage });
