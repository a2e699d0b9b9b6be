import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, optionalPhone, optionalText, paging } from '@clinic/contracts/schemas/fields';
import { professionalDetails, workplace } from '@clinic/contracts/schemas/person';
import { z } from 'zod';
import { pharmacistStatuses } from './limits.ts';
import { doctor, pharmacist } from './profile-schemas.ts';
import { saysSomething } from './schemas.ts';

const admin = ['admin'] as const;
const profile = { what: 'profile', whose: 'email' } as const;
const directory = 'the public directory of doctors';

/** Fields shared by doctors' and pharmacists' profiles; omitted ones stay unchanged. */
const profileChange = z.object(professionalDetails).partial().shape;

/** The calls about doctors' and pharmacists' profiles: the screens of staff add them. */
export const profileCalls = defineCalls('clinic', {
  listPharmacists: {
    method: 'GET',
    path: '/pharmacists',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all pharmacists',
    query: z.object(paging),
    response: z.array(pharmacist),
    shows: { ...profile, narrowedBy: ['q'] },
  },
  createProfile: {
    method: 'POST',
    path: '/doc-pharma',
    access: { kind: 'restricted', roles: admin },
    status: 201,
    errors: ['duplicate', 'changed_meanwhile'],
    summary: "Create a doctor's or pharmacist's profile",
    body: z.object({
      ...professionalDetails,
      email,
      /** The account that the admin saw at the address: if that is somebody else's by now, the call is rejected. */
      userId: asSeen(id),
      role: z.enum(['doctor', 'pharmacist'], { error: 'Role must be doctor or pharmacist' }),
    }),
    response: z.union([doctor, pharmacist]),
    decides: { 'body.email': 'database', 'body.userId': 'database', 'body.role': 'content' },
    unnoted: 'what the admin has just entered',
  },
  changeDoctor: {
    method: 'PATCH',
    path: '/doctors/:id/profile',
    access: { kind: 'restricted', roles: admin },
    errors: ['not_found'],
    summary: "Change a doctor's public profile",
    params: z.object({ id }),
    body: z
      .object({
        ...profileChange,
        education: optionalText('Education').optional(),
        location: workplace,
      })
      .refine(
        saysSomething,
        'Include at least one field to change: name, qualification, specialization, experience, education or location',
      ),
    response: doctor,
    decides: { 'params.id': 'record' },
    unnoted: directory,
  },
  changePharmacist: {
    method: 'PATCH',
    path: '/pharmacists/:id',
    access: { kind: 'restricted', roles: admin },
    errors: ['not_found'],
    summary: "Change a pharmacist's profile, including whether they are on leave",
    params: z.object({ id }),
    body: z
      .object({
        ...profileChange,
        phone: optionalPhone.optional(),
        status: z
          .enum(pharmacistStatuses, { error: `Status must be one of ${pharmacistStatuses.join(', ')}` })
          .optional(),
      })
      .refine(
        saysSomething,
        'Include at least one field to change: name, phone, status, qualification, specialization or experience',
      ),
    response: pharmacist,
    decides: { 'params.id': 'record', 'body.phone': 'content', 'body.status': 'content' },
    shows: profile,
  },
});
