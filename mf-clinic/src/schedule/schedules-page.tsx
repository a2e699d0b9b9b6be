import { definePage, useCall, useSearchParams } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Card, PageHeader, SelectField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { AppointmentDialogs } from '../dialogs/appointment-dialogs.tsx';
import { OutsideTimes } from '../profile/outside-times.tsx';
import { HolidaysSection } from './holidays-section.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { LoadError } from '../load-error.tsx';
import '../setup.ts';

/** Hours and Holidays (`/dash/schedules`): every doctor's hours, and the clinic's holidays, for admins. */
export function SchedulesPage() {
  const [search, setSearch] = useSearchParams();
  const answer = useCall('listDoctors', { query: { sort: 'name' } });
  const doctors = (answer.data ?? []) as readonly Doctor[];
  const id = search.get('doctor') ?? '';
  const doctor = doctors.find(({ _id }) => _id === id);
  return (
    <>
      <PageHeader
        title="Hours and Holidays"
        description="When each doctor sees patients, and when the clinic is closed."
      />
      <div className="grid gap-6">
        <Card>
          {answer.isError && !answer.data ? (
            <LoadError title="Error loading doctors" answer={answer} />
          ) : answer.isPending ? (
            <Loading className="h-16" />
          ) : (
            <SelectField
              label="Doctor"
              className="max-w-md"
              placeholder="Choose a doctor"
              options={doctors.map(({ _id, name, specialization }) => ({
                value: _id,
                label: `${name}, ${specialization}`,
              }))}
              value={doctor?._id ?? ''}
              hint={id && !doctor ? 'We can’t find this doctor. Choose another.' : undefined}
              onChange={(event) =>
                // Not keeping the scroll position: another doctor's hours are another page, which may be asked about.
                setSearch({ doctor: event.target.value }, { replace: true })
              }
            />
          )}
        </Card>
        {doctor && (
          <>
            <AppointmentDialogs>
              <OutsideTimes doctorId={doctor._id} />
            </AppointmentDialogs>
            <ScheduleEditor key={doctor._id} doctor={doctor} own={false} />
          </>
        )}
        <HolidaysSection />
      </div>
    </>
  );
}

export default definePage({ Component: SchedulesPage });
