import { definePage, useCall, useSession } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { availabilityOf } from '@clinic/svc-clinic/contract/availability';
import { Avatar, Card, EmailLink, PageHeader, Rating, Spinner, StatusBadge } from '@clinic/ui';
import { Details } from '@clinic/ui/tables';
import { AppointmentDialogs } from '../dialogs/appointment-dialogs.tsx';
import { ScheduleEditor } from '../schedule/schedule-editor.tsx';
import { NoProfile } from './no-profile.tsx';
import { OutsideTimes } from './outside-times.tsx';
import '../setup.ts';

/** My Profile (`/dash/dProfile`): what patients see of the signed-in doctor. */
export function MyProfilePage() {
  const email = useSession().user?.email ?? '';
  const profiles = useCall('getProfiles', { params: { email } }, { enabled: email !== '' });
  return (
    <>
      <PageHeader title="My Profile" description="What patients see about you, and when they can book you." />
      {profiles.isPending && (
        <Card className="grid place-items-center py-16">
          <Spinner size={32} />
        </Card>
      )}
      {!profiles.isPending && !profiles.data?.length && <NoProfile profiles={profiles} email={email} />}
      {profiles.data?.map((doctor) => (
        <div key={doctor._id} className="grid gap-6">
          <Profile doctor={doctor} />
          <AppointmentDialogs>
            <OutsideTimes doctorId={doctor._id} />
          </AppointmentDialogs>
          <ScheduleEditor own doctor={doctor} />
        </div>
      ))}
    </>
  );
}

function Profile({ doctor }: { readonly doctor: Doctor }) {
  const { name, email, image, specialization, qualification, education, experience, location, rating } = doctor;
  return (
    <Card as="article" className="grid gap-6 md:grid-cols-[14rem_1fr] md:gap-10">
      <div className="grid content-start justify-items-center gap-3 text-center">
        <Avatar portrait name={name} src={image} className="aspect-square w-40 rounded-2xl object-cover md:w-full" />
        {rating > 0 && <Rating value={rating} />}
        <StatusBadge status={availabilityOf(doctor)} />
      </div>
      <div className="min-w-0">
        <h2 className="text-xl font-bold">{name}</h2>
        <p className="mb-4 text-muted">{specialization}</p>
        <Details
          items={[
            ['Email', <EmailLink key="email" email={email} />],
            ['Qualification', qualification],
            ['Education', education || '–'],
            ['Experience', `${experience} ${experience === 1 ? 'year' : 'years'}`],
            ['Location', location || '–'],
          ]}
        />
      </div>
    </Card>
  );
}

export default definePage({ Component: MyProfilePage });
