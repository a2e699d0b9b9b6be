import { addCalls, api } from '@clinic/app-kit';
import type { Look, Route } from '@clinic/contracts';
import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';

const listing: Route = {
  service: 'gateway',
  method: 'GET',
  path: personalDataPath,
  access: { kind: 'everyone' },
  status: 200,
  errors: [],
  summary: 'List the calls about personal data',
};

/** Calls by names that the types don't know. They have the same form in all services. */
export const otherCalls = api as unknown as {
  call<Answer>(id: string, input?: object): Promise<Answer>;
  page(id: string, input: object): Promise<{ readonly rows: readonly Look[]; readonly next: string | undefined }>;
};

/**
 * Asks the gateway for the calls about personal data that this remote doesn't know at build time: those of svc-messages and
 * of domains that were added later. From then on they can be made.
 *
 * @param own - services whose calls this remote knows
 * @throws ApiProblem if the gateway can't say which there are
 */
export async function findOtherCalls(
  own: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Required<PersonalDataCalls>> {
  addCalls({ listPersonalDataCalls: listing });
  const {
    calls,
    looks = [],
    unknown,
  } = await otherCalls.call<PersonalDataCalls>('listPersonalDataCalls', {
    ...(signal && { signal }),
  });
  const isOther = ({ service }: { readonly service: string }): boolean => !own.has(service);
  const others = { calls: calls.filter(isOther), looks: looks.filter(isOther) };
  for (const { id, service, path, method } of others.calls)
    addCalls({ [id]: { ...listing, service, path, method: method as Route['method'] } });
  for (const { id, service, path } of others.looks) addCalls({ [id]: { ...listing, service, path } });
  return { ...others, unknown: unknown.filter((service) => !own.has(service)) };
}
