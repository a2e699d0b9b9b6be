import { z } from 'zod';

/** Mails of the demo whose links haven't been used, as the Auth emulator lists them for svc-identity. */
export const allMails = z.array(
  z.object({
    /** What the link does, named as in Firebase's own links. */
    mode: z.string(),
    /** Recipient, lower case. */
    to: z.string(),
    /** Address of the account it is about, lower case. */
    account: z.string(),
    /** Path on the clinic's own origin. */
    link: z.string(),
  }),
);
