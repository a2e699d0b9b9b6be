import type { CallResponse } from '@clinic/contracts';

export type OpenInvitation = CallResponse<'readInvitation'>;

/** A role's name within a sentence. */
export const workAs = { doctor: 'a doctor', pharmacist: 'a pharmacist', admin: 'an admin' } as const;

/** The start of a message to the invited person. @param rest - as it appears within a sentence */
export const addressed = ({ name }: OpenInvitation, rest: string): string =>
  name === '' ? rest.charAt(0).toUpperCase() + rest.slice(1) : `${name}, ${rest}`;
