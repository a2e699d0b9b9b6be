import { defineSlotModule, Link } from '@clinic/app-kit';
import { ButtonLink, Card } from '@clinic/ui';
import '../setup.ts';

/** Leads from My Account to what the person was sent. */
function NotificationsCard() {
  return (
    <Card as="section" id="notifications" aria-labelledby="notifications-title" className="grid scroll-mt-24 gap-4">
      <div>
        <h2 id="notifications-title" className="text-lg font-semibold">
          Notifications
        </h2>
        <p className="mt-1 text-sm text-muted">See what we’ve emailed you, and choose what we email you and when.</p>
      </div>
      <div>
        <ButtonLink component={Link} to="/dash/notifications" variant="soft" icon="mail">
          My notifications
        </ButtonLink>
      </div>
    </Card>
  );
}

/** This domain's section of My Account. */
export default defineSlotModule<'account'>({ Component: NotificationsCard });
