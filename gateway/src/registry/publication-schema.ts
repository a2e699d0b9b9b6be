import type { ServicePublication } from '@clinic/contracts/publication';
import { acceptPublication } from '@clinic/contracts/window/services';
import { parse } from 'path-to-regexp';
import { z } from 'zod';

/** A first segment. No dots, so that it can't be mistaken for a file or a parent folder. */
const segments = /^[A-Za-z0-9][\w-]{0,63}$/;
const segment = z.string().regex(segments, 'must be letters, digits, - and _');

/** Whether a service could publish this first segment. */
export const couldBePublished = (name: string): boolean => segments.test(name);

/** What a service may publish about itself. Validated, because other people deploy services at other times. */
export const publicationSchema: z.ZodType<ServicePublication> = z.object({
  name: z.string(),
  version: z.string().max(100),
  commit: z.string().max(100).optional(),
  contractVersion: z.int(),
  segments: z.array(segment).min(1).max(100),
  calls: z
    .array(
      z.object({
        id: z.string().max(100),
        method: z.string().regex(/^[A-Z]{1,20}$/, 'must be a method in capitals'),
        path: z
          .string()
          .max(200)
          .regex(/^\/[\w/:.*{}-]*$/, 'must be a path pattern')
          .refine(isPattern, 'must be a path pattern'),
        timeoutSeconds: z.number().positive().max(600).optional(),
        stream: z.boolean().optional(),
        safe: z.boolean().optional(),
        shared: z.boolean().optional(),
        maxBodyBytes: z
          .int()
          .positive()
          .max(10 * 1024 * 1024)
          .optional(),
        personalData: z.enum(['copy', 'erasure']).optional(),
        looks: z.boolean().optional(),
      }),
    )
    .max(1000),
});

function isPattern(path: string): boolean {
  try {
    parse(path);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error if this isn't a valid publication of this service */
export function readPublication(text: string, service: string): ServicePublication {
  const checked = publicationSchema.safeParse(acceptPublication(JSON.parse(text)));
  if (!checked.success) throw new Error(z.prettifyError(checked.error).replaceAll('\n', ' '));
  if (checked.data.name !== service) throw new Error(`it belongs to ${checked.data.name}`);
  return checked.data;
}
