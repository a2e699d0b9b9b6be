import type { RegisteredRemote } from '@clinic/contracts/remotes';
import { servicePublication, type ServicePublication } from '@clinic/contracts/schemas/publication';
import { remoteDescriptor } from '@clinic/contracts/schemas/remote-descriptor';
import { acceptDescriptor } from '@clinic/contracts/window/remotes';
import { acceptPublication } from '@clinic/contracts/window/services';
import { parse } from 'path-to-regexp';
import { z } from 'zod';

/** @throws Error if this isn't a valid `remote.json` of this remote */
export function parseRemote(text: string, name: string): RegisteredRemote {
  return { ...valid(remoteDescriptor, acceptDescriptor(JSON.parse(text)), name), baseUrl: `/mf/${name}/` };
}

/** @throws Error if this isn't a valid publication of this service */
export function parsePublication(text: string, service: string): ServicePublication {
  const publication = valid(servicePublication, acceptPublication(JSON.parse(text)), service);
  for (const { path } of publication.calls) parse(path);
  return publication;
}

function valid<Published extends { readonly name: string }>(
  schema: z.ZodType<Published>,
  given: unknown,
  name: string,
): Published {
  const { success, data, error } = schema.safeParse(given);
  if (!success) throw new Error(z.prettifyError(error).replaceAll('\n', ' '));
  if (data.name !== name) throw new Error(`it belongs to ${data.name}`);
  return data;
}
