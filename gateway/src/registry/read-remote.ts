import type { RegisteredRemote } from '@clinic/contracts/remotes';
import { acceptDescriptor } from '@clinic/contracts/window/remotes';
import { z } from 'zod';
import { remoteDescriptorSchema } from './remote-schema.ts';

/** @throws Error if this isn't a valid `remote.json` of this remote */
export function remoteOf(name: string, text: string): RegisteredRemote {
  const { success, data, error } = remoteDescriptorSchema.safeParse(acceptDescriptor(JSON.parse(text)));
  if (!success) throw new Error(`remote.json is invalid: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
  if (data.name !== name) throw new Error(`remote.json belongs to ${data.name}`);
  return { ...data, baseUrl: `/mf/${name}/` };
}
