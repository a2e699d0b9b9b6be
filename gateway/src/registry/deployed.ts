import type { PersonalDataCalls } from '@clinic/contracts/personal-data-calls';
import type { Deployed } from '@clinic/contracts/uses';
import { serviceWindow } from '@clinic/contracts/window/services';
import type { OwnedCall, Services } from './services.ts';

/** The services' calls now, for checks before a deployment. */
export function deployedOf(services: Services): Deployed {
  const { calls } = services;
  return {
    contracts: serviceWindow,
    services: services.all.flatMap((service) => {
      if (!service.publication) return [];
      const { name, version, contractVersion, segments } = service.publication;
      return {
        name,
        version,
        contractVersion,
        segments: segments.filter((segment) => services.find(segment) === service),
        calls: calls
          .filter((owned) => owned.service === service)
          .map(({ call: { id, method, path } }) => ({ id, method, path })),
      };
    }),
    unknown: services.unknown,
  };
}

/** The services' calls about a person's data, and about who looked at it. */
export function personalDataOf({ calls, unknown }: Services): PersonalDataCalls {
  const describe = ({ service, call: { id, method, path } }: OwnedCall) => ({
    service: service.name,
    id,
    method,
    path,
  });
  return {
    calls: calls.flatMap((owned) =>
      owned.call.personalData ? [{ ...describe(owned), personalData: owned.call.personalData }] : [],
    ),
    looks: calls.filter(({ call }) => call.looks).map(describe),
    unknown,
  };
}
