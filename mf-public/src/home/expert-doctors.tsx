import { Link } from '@clinic/app-kit';
import { ButtonLink, Card, EmptyState, ErrorState } from '@clinic/ui';
import { DoctorGrid, DoctorGridLoading } from '../doctors/doctor-grid.tsx';
import { useDoctors } from '../doctors/use-doctors.ts';
import { Section } from '../layout/section.tsx';

/** The first doctors of the directory, on the home page. */
const shownDoctors = 6;

export function ExpertDoctors() {
  return (
    <Section
      title="Meet Our Expert Doctors"
      lead="People who listen first. Read who they are, see when they are free, and book."
      action={
        <ButtonLink component={Link} to="/ourDoctors" variant="secondary" iconAfter="arrow-right">
          See More Doctors
        </ButtonLink>
      }
    >
      <Doctors />
    </Section>
  );
}

function Doctors() {
  const { doctors, failed, retry } = useDoctors(shownDoctors);
  if (failed)
    return (
      <Card>
        <ErrorState title="Error loading doctors" onRetry={retry} />
      </Card>
    );
  if (!doctors) return <DoctorGridLoading count={shownDoctors} />;
  if (doctors.length === 0)
    return (
      <Card>
        <EmptyState icon="stethoscope" title="There are no doctors to show yet" />
      </Card>
    );
  return <DoctorGrid doctors={doctors.slice(0, shownDoctors)} />;
}
