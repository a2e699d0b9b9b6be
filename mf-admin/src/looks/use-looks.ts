import { knownLabel } from '@clinic/contracts/known-words';
import { api, ApiProblem, useQuery } from '@clinic/app-kit';
import { rightLabels, type Look } from '@clinic/contracts';
import { findOtherCalls, otherCalls } from '../other-domains.ts';

type LooksAnswer = Awaited<ReturnType<typeof otherCalls.page>>;

/** What the services that this remote doesn't know at build time answer. */
interface OtherLooks {
  readonly answers: readonly LooksAnswer[];
  /** Services that don't answer. */
  readonly unavailable: readonly string[];
}

/** A service's call that lists access by staff, and the kind of records in words. */
interface Part {
  readonly service: string;
  readonly name: string;
  readonly ask: (email: string, limit: number, signal: AbortSignal) => Promise<LooksAnswer>;
}

const parts: readonly [Part, Part, Part] = [
  {
    service: 'identity',
    name: 'account',
    ask: (email, limit, signal) => api.page('listIdentityLooks', { params: { email }, query: { limit }, signal }),
  },
  {
    service: 'clinic',
    name: 'appointments',
    ask: (email, limit, signal) => api.page('listClinicLooks', { query: { email, limit }, signal }),
  },
  {
    service: 'pharmacy',
    name: 'orders',
    ask: (email, limit, signal) => api.page('listPharmacyLooks', { query: { email, limit }, signal }),
  },
];

/** Most rows per service. */
export const mostLooks = 200;

/** Which staff opened, searched for or exported a person's records, latest first. */
export interface Looks {
  readonly rows: readonly Look[];
  readonly loading: boolean;
  /** Services that don't answer, with their kind of records in words. */
  readonly unavailable: readonly { readonly service: string; readonly name: string; readonly retry: () => void }[];
  /** Whether there are more than were requested. */
  readonly more: boolean;
}

/** @param email - whose records, lower case @param count - rows requested, at most {@link mostLooks} */
export function useLooks(email: string, count: number): Looks {
  const all = [
    useLooksOfPart(parts[0], email, count),
    useLooksOfPart(parts[1], email, count),
    useLooksOfPart(parts[2], email, count),
    useOtherLooks(email, count),
  ];
  const rows = all.flatMap((one) => one.rows).toSorted((a, b) => b.at.localeCompare(a.at));
  return {
    rows: rows.slice(0, count),
    loading: all.some((one) => one.loading),
    unavailable: all.flatMap(({ missing, retry }) => missing.map((one) => ({ ...one, retry }))),
    more: rows.length > count || all.some((one) => one.more),
  };
}

function useLooksOfPart({ service, name, ask }: Part, email: string, count: number) {
  const { data, error, isPending, refetch } = useQuery<LooksAnswer, ApiProblem>({
    queryKey: ['looks', service, email, count],
    queryFn: ({ signal }) => ask(email, Math.min(count, mostLooks), signal),
    // Rows stay while more of the same person's load.
    placeholderData: (before, query) => (query?.queryKey[2] === email ? before : undefined),
  });
  return {
    rows: data?.rows ?? [],
    more: data?.next !== undefined,
    missing: error && !data ? [{ service, name }] : [],
    loading: isPending,
    retry: () => void refetch(),
  };
}

function useOtherLooks(email: string, count: number) {
  const { data, error, isPending, refetch } = useQuery<OtherLooks, ApiProblem>({
    queryKey: ['looks', 'others', email, count],
    queryFn: ({ signal }) => askOthers(email, Math.min(count, mostLooks), signal),
    placeholderData: (before, query) => (query?.queryKey[2] === email ? before : undefined),
  });
  const silent = error && !data ? [{ service: 'others', name: 'other records' }] : [];
  return {
    rows: data?.answers.flatMap(({ rows }) => rows) ?? [],
    more: data?.answers.some(({ next }) => next !== undefined) ?? false,
    missing: data?.unavailable.map((service) => ({ service, name: service.replaceAll('-', ' ') })) ?? silent,
    loading: isPending,
    retry: () => void refetch(),
  };
}

/**
 * Which staff viewed a person's records in svc-messages and in domains that were added later.
 *
 * @throws ApiProblem if the gateway can't say which there are
 */
async function askOthers(email: string, limit: number, signal: AbortSignal): Promise<OtherLooks> {
  const { looks } = await findOtherCalls(new Set(parts.map(({ service }) => service)), signal);
  const asked = await Promise.all(
    looks.map(async ({ id, service }) => {
      try {
        return await otherCalls.page(id, { query: { email, limit }, signal });
      } catch (error) {
        if (error instanceof ApiProblem) return service;
        throw error;
      }
    }),
  );
  return {
    answers: asked.filter((one) => typeof one !== 'string'),
    unavailable: asked.filter((one) => typeof one === 'string'),
  };
}

const verbs: Readonly<Record<Look['how'], string>> = {
  opened: 'opened',
  searched: 'searched for',
  exported: 'downloaded a copy of',
};

function whoLooked({ role, rights = [] }: Look['by']): string {
  if (rights.length > 0)
    return `A member of staff (${rights.map((right) => knownLabel(rightLabels, right)).join(', ')})`;
  return role === 'admin' ? 'An admin' : `A ${role}`;
}

/** E.g. `A doctor opened your appointments`. */
export function lookInWords({ by, what, how }: Pick<Look, 'by' | 'what' | 'how'>): string {
  return `${whoLooked(by)} ${knownLabel(verbs, how)} your ${what}`;
}

/** E.g. `Opened their appointments`. */
export function lookAtOthers({ what, how }: Pick<Look, 'what' | 'how'>): string {
  const text = `${knownLabel(verbs, how)} their ${what}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
