import { addCalls, api, ApiProblem } from '@clinic/app-kit';
import type { Look, Route } from '@clinic/contracts';
import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';

/** What one service answers. */
export interface LooksAnswer {
  readonly rows: readonly Look[];
  readonly next: string | undefined;
}

/** What the services that this remote doesn't know at build time answer. */
export interface OtherLooks {
  readonly answers: readonly LooksAnswer[];
  /** Services that don't answer. */
  readonly unavailable: readonly string[];
}

/** The services whose calls this remote knows. */
const known = new Set(['identity', 'clinic', 'pharmacy']);

const listing: Route = {
  service: 'gateway',
  method: 'GET',
  path: personalDataPath,
  access: { kind: 'everyone' },
  status: 200,
  errors: [],
  summary: 'List the calls about personal data',
};

/** Calls by names that the types don't know. */
const others = api as unknown as {
  call(id: string, input: { readonly signal: AbortSignal }): Promise<PersonalDataCalls>;
  page(
    id: string,
    input: { readonly query: { readonly email: string; readonly limit: number }; readonly signal: AbortSignal },
  ): Promise<LooksAnswer>;
};

/**
 * Which staff viewed a person's records in svc-messages and in domains that were added later, as the gateway lists them.
 *
 * @throws ApiProblem if the gateway can't say which there are
 */
export async function askOthers(email: string, limit: number, signal: AbortSignal): Promise<OtherLooks> {
  addCalls({ listLooksCalls: listing });
  const { looks = [] } = await others.call('listLooksCalls', { signal });
  const calls = looks.filter(({ service }) => !known.has(service));
  for (const { id, service, path } of calls) addCalls({ [id]: { ...listing, service, path } });
  const asked = await Promise.all(
    calls.map(async ({ id, service }) => {
      try {
        return await others.page(id, { query: { email, limit }, signal });
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
