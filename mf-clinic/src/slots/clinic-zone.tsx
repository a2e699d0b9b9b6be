import { useConfig } from '@clinic/app-kit';
import { clinicMoment } from '@clinic/contracts/clinic-time';

/** Whose clock times are by, for a reader whose own shows another time now. */
export function ClinicZone() {
  const { clinicTimeZone } = useConfig();
  const now = new Date();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [theirs, here] = [clinicMoment(now, own), clinicMoment(now, clinicTimeZone)];
  if (theirs.date === here.date && theirs.time === here.time) return null;
  return (
    <span className="ui-hint block">
      Times are by the clinic’s clock ({clinicTimeZone.replaceAll('_', ' ')}), not by yours.
    </span>
  );
}
