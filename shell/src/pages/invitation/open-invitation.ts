import type { CallResponse } from '@clinic/contracts';

export type OpenInvitation = CallResponse<'readInvitation'>;

/** What a role is called in a sentence. */
export const workAs = { doctor: 'a doctor', pharmacist: 'a pharmacist', admin: 'an admin' } as const;

/** The beginning of what is said to the invited person. @param rest - as it stands within a sentence */
export const addressed = ({ name }: OpenInvitation, rest: string): string => (name === '' ? rest.charAt(0).toUpperCase() + rest.slice(1) : `${name}, ${rest}`);
