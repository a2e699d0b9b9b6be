import { formatDate, formatTime, Link, useCall, useSession, type SlotProps } from '@clinic/app-kit';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { SearchResults } from '@clinic/ui/search-results';
import { useDesk } from '../desk/use-desk.ts';
import '../week-calendar/calls.ts';

/** Rows of each kind: more are in the lists themselves. */
const most = 5;

/** Patients and appointments that a search names: the desk finds everybody, doctors find their own. */
export function FoundInClinic({ q }: SlotProps['search']) {
  const { role, user } = useSession();
  const desk = useDesk();
  const enabled = desk || role === 'doctor';
  const whose = desk ? {} : { email: user?.email };
  const list = desk ? '/dash/appoinments' : '/dash/doctorAppoinments';
  const patients = useCall('findPatients', { query: { q, ...whose } }, { enabled });
  const visits = useCall('listAppointments', { query: { q, ...whose, sort: '-date', limit: most } }, { enabled });
  if (!enabled) return null;
  return (
    <>
      <SearchResults
        title="Patients"
        component={Link}
        rows={patients.data?.slice(0, most).map(({ appointment, patientname, patientemail, number, date }) => {
          const email = hasNoEmail(patientemail) ? '' : patientemail;
          return {
            key: appointment,
            to: `${list}?q=${encodeURIComponent(email || patientname)}`,
            name: patientname,
            text: [number, email, `latest visit ${formatDate(date)}`].filter((one) => one !== '').join(' · '),
          };
        })}
        failure={patients.error?.message}
        onRetry={() => void patients.refetch()}
      />
      <SearchResults
        title="Appointments"
        component={Link}
        rows={visits.data?.map(({ _id, patientname, doctorname, date, time, status }) => ({
          key: _id,
          to: `/dash/calendar?date=${date}&view=day`,
          name: `${patientname}, ${formatDate(date)} at ${formatTime(time)}`,
          text: `${doctorname} · ${status}`,
        }))}
        failure={visits.error?.message}
        onRetry={() => void visits.refetch()}
      />
    </>
  );
}
