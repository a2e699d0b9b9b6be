import { addCalls, useCall, useSession } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { calendarLimits as limits } from '@clinic/svc-clinic/contract/limits';
import { identityCalls } from '@clinic/svc-identity/contract';
import '../week-calendar/calls.ts';
import { useDesk } from './use-desk.ts';
import { deskPatients, type DeskPatient } from './desk-patient.ts';

addCalls({ listUsers: identityCalls.listUsers });

interface Patients {
  readonly found: readonly DeskPatient[];
  /** The search that `found` answers is the one asked for. */
  readonly settled: boolean;
  /** Only the latest were asked for: further ones may match. */
  readonly more: boolean;
  readonly failure: string | undefined;
}

/** Patients by name, phone number, email address or date of birth; doctors find those of their own appointments. */
export function usePatients(q: string): Patients {
  const { user } = useSession();
  const desk = useDesk();
  const today = useClinicToday();
  const enabled = q.length >= limits.searchedLetters;
  const accounts = useCall(
    'listUsers',
    { query: { q, limit: limits.patients } },
    { enabled: enabled && desk, keepPrevious: true },
  );
  const visits = useCall(
    'findPatients',
    { query: { q, ...(!desk && user && { email: user.email }) } },
    { enabled, keepPrevious: true },
  );
  const answers = desk ? [accounts, visits] : [visits];
  return {
    found: enabled ? deskPatients((desk && accounts.data) || [], visits.data ?? [], today) : [],
    settled: enabled && answers.every(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData),
    more: answers.some(({ data = [] }) => data.length >= limits.patients),
    failure: answers.find(({ isError }) => isError)?.error?.message,
  };
}
