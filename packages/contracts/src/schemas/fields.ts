import { z } from 'zod';
import { idPattern } from '../ids.ts';
import { maxText, phoneMessage, phonePattern } from '../limits.ts';
import { roles } from '../roles.ts';
import { emailMessage, emailPattern } from '../typed-address.ts';
import { withoutInvisible } from '../visible-text.ts';

export { maxText };

/**
 * Control characters and separators, which forge lines in files and logs, and lone surrogates, which a database would
 * store as something else.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const typed = (error: string) => z.string({ error }).overwrite(withoutInvisible).trim();

const short = (schema: z.ZodString, label: string, most = maxText) =>
  schema.max(most, `${label} must be ${most} characters or fewer`);

const oneLine = (schema: z.ZodString, label: string) =>
  schema.refine((value) => !unprintable.test(value), `${label} has characters we can’t use`);

const breaks = (value: string): string => value.replaceAll(/\r\n?/g, '\n');

const manyLines = (schema: z.ZodString, label: string, most = maxText) =>
  short(schema, label, most)
    .transform(breaks)
    .refine((value) => !unprintable.test(value.replaceAll('\n', '')), `${label} has characters we can’t use`);

/** Single-line text that may be empty. @param label - the field's name on screen, used in messages */
export const optionalText = (label: string, most = maxText) =>
  oneLine(short(typed(`${label} must be a text`), label, most), label);

/** @param label - the field's name on screen, used in messages */
export const text = (label: string, message = `${label} is required`) =>
  oneLine(short(typed(message).min(1, message), label), label);

/** Multi-line text that may be empty. @param label - the field's name on screen, used in messages */
export const optionalLines = (label: string, most = maxText) =>
  manyLines(typed(`${label} must be a text`), label, most);

/** Multi-line text, such as a delivery address. @param label - the field's name on screen, used in messages */
export const lines = (label: string, message = `${label} is required`) =>
  manyLines(typed(message).min(1, message), label);

export const email = z
  .string({ error: 'Email is required' })
  .overwrite(withoutInvisible)
  .trim()
  .toLowerCase()
  .min(1, 'Email is required')
  .max(254, 'Email must be 254 characters or fewer')
  .pipe(z.email({ pattern: emailPattern, error: emailMessage }));

/** Longest phone number with its spaces, characters. */
const longestPhone = 32;

const typedPhone = z
  .string({ error: 'Phone number is required' })
  // Copied from contacts and PDFs, numbers bring direction marks and joiners along.
  .overwrite((value) => withoutInvisible(value).replaceAll(/\p{Cf}/gu, ''))
  .trim();

/** As typed: with digits of any script, grouped in any way. Services derive the international form from it. */
export const phone = typedPhone
  .min(1, { error: 'Phone number is required', abort: true })
  // Before the pattern, which takes long for long texts.
  .max(longestPhone, { error: `Phone number must be ${longestPhone} characters or fewer`, abort: true })
  .regex(phonePattern, { error: phoneMessage, abort: true })
  .refine((value) => /(\p{Nd}\P{Nd}*){3}/u.test(value), 'A phone number must have at least 3 digits');

/** {@link phone}, or empty if there is none. */
export const optionalPhone = typedPhone.superRefine((value, context) => {
  if (value === '') return;
  for (const { message } of phone.safeParse(value).error?.issues ?? []) context.addIssue({ code: 'custom', message });
});

/** Local calendar date, 'yyyy-mm-dd'. */
export const isoDate = (label: string) =>
  z
    .string({ error: `${label} is required` })
    .trim()
    .min(1, `${label} is required`)
    .pipe(z.iso.date({ error: `${label} must be a date (yyyy-mm-dd)`, abort: true }))
    // Nothing here is older or later, and calendar code only handles four-digit years.
    .refine((date) => date >= '1900' && date < '3000', `${label} must be in the years 1900 to 2999`);

/** Local time of day, 'HH:mm', as doctors' availableTimes are written. */
export const timeOfDay = z
  .string({ error: 'Time is required' })
  .trim()
  .min(1, 'Time is required')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Time must be a time of day (HH:mm)');

/** Rights beside a role, absent without any; a newer service may name one that this build doesn't know. */
export const rightsHeld = z.array(z.string()).optional();

export const role = z.enum(roles, { error: `Role must be one of ${roles.join(', ')}` });

export const id = z.string().regex(idPattern, 'An ID must have 24 hexadecimal digits');

/**
 * What its user saw of what a call acts on. Optional on the wire, as front-ends of earlier releases leave it out; the types
 * make those of this release say it, be it `undefined`.
 */
export const asSeen = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional() as unknown as z.ZodType<z.output<Schema> | undefined, z.input<Schema> | undefined> & {
    readonly _zod: { readonly optout: 'optional' };
  };

/** Most rows per page. */
const maxPage = 200;
const limitMessage = `Limit must be a whole number from 1 to ${maxPage}`;

/** Query parameters of every paged list; without `limit` the whole list is returned. */
export const paging = {
  // Decimal digits only: `Number('0x10')` would be 16 and `Number(' ')` 0.
  limit: z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      { error: limitMessage },
    )
    .pipe(z.number({ error: limitMessage }).int(limitMessage).min(1, limitMessage).max(maxPage, limitMessage))
    .optional(),
  // A cursor contains the last row's name in base64; a character may take four bytes.
  cursor: z.string().max(2_500).optional(),
  q: z.string().trim().max(100).optional(),
  sort: z.string().max(40).optional(),
};
