import type { NewProfileFields } from './profile-fields.tsx';
import type { StaffRole } from './staff-roles.ts';

/** The form's values until it is sent. */
export interface StaffForm extends NewProfileFields {
  readonly role: StaffRole;
  readonly email: string;
}
