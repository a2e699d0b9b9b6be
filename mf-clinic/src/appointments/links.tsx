import { Link } from '@clinic/app-kit';
import { ButtonLink } from '@clinic/ui';

export const bookLink = (
  <ButtonLink component={Link} to="/ourDoctors" icon="plus">
    Book an appointment
  </ButtonLink>
);

export const waitlistLink = (
  <ButtonLink component={Link} to="/dash/waitlist" variant="soft" icon="clock">
    Waitlist
  </ButtonLink>
);

export const calendarLink = (
  <ButtonLink component={Link} to="/dash/calendar" variant="secondary" icon="calendar">
    Calendar
  </ButtonLink>
);

export const receptionLink = (
  <ButtonLink component={Link} to="/dash/reception" variant="secondary" icon="users">
    Reception
  </ButtonLink>
);
