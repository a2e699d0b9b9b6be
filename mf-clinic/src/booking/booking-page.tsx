import { definePage, Link, useCall, useParams, useSession } from '@clinic/app-kit';
import { ButtonLink, Card, ErrorState, PageHeader, Skeleton } from '@clinic/ui';
import { BookingForm } from './booking-form.tsx';
import { Colleagues } from './colleagues.tsx';
import { DoctorCard } from './doctor-card.tsx';
import { LoadError } from '../load-error.tsx';
import '../setup.ts';

/** Book Appointment (`/appoinment/:_id`): the form for one doctor, with the doctor beside it. */
export function BookingPage() {
  const { _id = '' } = useParams();
  const answer = useCall('listDoctors', { query: { _id } });
  // Whoever books for others starts with an empty form.
  const { roleLoading } = useSession();
  // With `_id` the call returns a single doctor.
  const doctor = Array.isArray(answer.data) ? answer.data[0] : answer.data;
  const unknown = answer.error?.status === 404 || answer.error?.status === 400;
  const otherDoctors = (
    <ButtonLink component={Link} to="/ourDoctors" variant="soft">
      See all doctors
    </ButtonLink>
  );

  return (
    <div className="mx-auto w-full max-w-page px-4 py-8 sm:px-6 md:py-12">
      <PageHeader
        title="Book Appointment"
        description={doctor && `With ${doctor.name}, ${doctor.specialty}`}
        actions={
          <ButtonLink component={Link} to="/ourDoctors" variant="ghost" icon="chevron-left">
            All doctors
          </ButtonLink>
        }
      />
      {(answer.isPending || (doctor && roleLoading)) && <Waiting />}
      {answer.isError && !doctor && (
        <Card>
          {unknown ? (
            <ErrorState
              title="We can’t find this doctor"
              text="The link may be out of date. Choose a doctor from the directory."
              action={otherDoctors}
            />
          ) : (
            <LoadError title="Error loading doctor" answer={answer} action={otherDoctors} />
          )}
        </Card>
      )}
      {doctor && !roleLoading && (
        <div className="grid items-start gap-6 lg:grid-cols-[20rem_1fr]">
          <DoctorCard doctor={doctor} />
          {doctor.isAvailable ? (
            <BookingForm key={doctor._id} doctor={doctor} />
          ) : (
            <Card>
              <h2 className="text-heading font-semibold">{doctor.name} isn’t taking new appointments</h2>
              <Colleagues doctor={doctor} />
              <p className="mt-6">{otherDoctors}</p>
            </Card>
          )}
        </div>
      )}
    </div>
  );
}

function Waiting() {
  return (
    <div className="grid gap-6 lg:grid-cols-[20rem_1fr]">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-40 lg:h-96" />
      <Skeleton className="h-96" />
    </div>
  );
}

export default definePage({ Component: BookingPage });
