import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { defineService, ProblemError, runService, type Handlers } from '@clinic/service-kit';
import { page } from '@clinic/service-kit/answers';
import { onTheWire, stored } from './rows.ts';

/** Calls that are not measured. */
const otherCalls = Object.fromEntries(
  Object.keys(clinicCalls).map((id) => [id, () => Promise.reject(new ProblemError('not_found'))]),
) as unknown as Handlers<'clinic'>;

// Everything a service does around its handlers: request id, log line, metrics, session, access rule, validation,
// headers.
await runService(
  defineService({
    name: 'clinic',
    calls: clinicCalls,
    settings: {},
    indexes: {},
    handlers: () => ({
      ...otherCalls,
      listAppointments: () => Promise.resolve(page({ rows: stored.map(onTheWire), total: stored.length })),
      // A public call: not doctors, but a response of the same size.
      listDoctors: () =>
        Promise.resolve(page({ rows: stored.map(onTheWire) as unknown as Doctor[], total: stored.length })),
    }),
  }),
);
