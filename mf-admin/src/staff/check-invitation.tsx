import { roleLabels } from '@clinic/contracts';
import { Details } from '@clinic/ui/tables';
import type { StaffForm } from './staff-form.ts';
import { expertiseOf } from './staff-roles.ts';

/** Everything that was entered, before it is sent. */
export function CheckInvitation({
  form: { role, email, name, qualification, specialization, experience, location },
}: {
  readonly form: StaffForm;
}) {
  const profile: [string, string][] =
    role === 'admin'
      ? []
      : [
          ['Name', name],
          ['Qualification', qualification],
          [expertiseOf(role), specialization],
          ['Experience', experience === 1 ? '1 year' : `${experience} years`],
        ];
  const work: [string, string][] =
    role === 'doctor'
      ? [
          ['Location', location || '–'],
          ['Hours', 'None yet. They set them in My Profile, or you do in Hours and Holidays.'],
        ]
      : [];
  return (
    <>
      <Details items={[['Role', roleLabels[role]], ['Email', email.trim().toLowerCase()], ...profile, ...work]} />
      <p className="text-sm text-muted">
        You’ll get a link to send them. It works for 7 days, for this address only. You can revoke it.
      </p>
    </>
  );
}
