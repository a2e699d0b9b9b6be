import type { Invitation } from '../contract/schemas.ts';
import type { Browser } from './browser.ts';

/** Profile of an invited doctor. */
export const doctorProfile = {
  name: 'Dr. Meredith Grey',
  qualification: 'MD',
  specialization: 'Cardiologist',
  experience: 9,
  location: 'Level 3',
  availableTimes: ['09:00', '09:30'],
};

/** Invites somebody; by default with a doctor's profile, unless the role is admin. */
export function invite(
  by: Browser,
  email: string,
  role = 'doctor',
  more: object = role === 'admin' ? {} : { profile: doctorProfile },
): Promise<Response> {
  return by.fetch('/staff/invitations', { method: 'POST', json: { email, role, ...more } });
}

/** An invitation that was just made, with the token of its link. */
export interface MadeInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

export function acceptInvitation(by: Browser, token: string): Promise<Response> {
  return by.fetch('/staff/invitation/accept', { method: 'POST', json: { token } });
}
