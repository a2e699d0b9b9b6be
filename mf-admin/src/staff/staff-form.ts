import type { NewProfileFields } from './profile-fields.tsx';
import type { StaffRole } from './staff-roles.ts';

/** What the form holds until it is sent. */
export interface StaffForm extends NewProfileFields {
  readonly role: StaffRole;
  readonly email: string;
  readonly availableTimes: readonly string[];
}
