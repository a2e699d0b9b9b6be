import { currencySign } from '@clinic/contracts/currency';
import type { QuietHours } from '@clinic/contracts/quiet-hours';
import { z } from 'zod';
import { countryOf, type Country } from '../phone-numbers.ts';

/** How to read one environment variable. */
export interface Setting<T> {
  /** What the variable must be, to follow its name in a message: 'must be a whole number from 1 to 65535'. */
  readonly expected: string;
  readonly example: string;
  /** Used if the variable is unset or empty; without a default the variable is required. */
  readonly default?: T | undefined;
  /** Unset means `undefined`, not an error. */
  readonly optional?: boolean;
  /** Parses the variable's text. Its messages are never shown, as they may quote a secret. */
  readonly schema: z.ZodType<T, string>;
}

interface Options<T> {
  readonly default?: T;
  readonly example?: string;
}

/** Schema for formats of our own. @param parse - returns `undefined` if the text is invalid */
export function parsedBy<T>(parse: (text: string) => T | undefined): z.ZodType<T, string> {
  return z.string().transform((value, context) => {
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    context.addIssue('invalid');
    return z.NEVER;
  });
}

/** Any non-empty text. */
export function text(options: Options<string> & { readonly expected?: string } = {}): Setting<string> {
  return {
    expected: options.expected ?? 'must be a text',
    example: options.example ?? options.default ?? 'text',
    default: options.default,
    schema: z.string(),
  };
}

/** An optional text. */
export function optionalText(options: {
  readonly expected: string;
  readonly example: string;
}): Setting<string | undefined> {
  return { ...options, optional: true, schema: z.string() };
}

/** A whole number from `min` to `max` inclusive. */
export function integer(
  options: Options<number> & { readonly min?: number; readonly max?: number } = {},
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return {
    expected:
      max === Number.MAX_SAFE_INTEGER
        ? `must be a whole number, ${min} or more`
        : `must be a whole number from ${min} to ${max}`,
    example: options.example ?? String(options.default ?? min),
    default: options.default,
    // Not coerced: Number('') is 0 and Number('0x10') is 16.
    schema: z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number)
      .pipe(z.int().min(min).max(max)),
  };
}

/** `true` or `false`. */
export function flag(options: Options<boolean> = {}): Setting<boolean> {
  return {
    expected: 'must be true or false',
    example: options.example ?? 'true',
    default: options.default,
    schema: z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }),
  };
}

/** An optional flag, for when the default depends on other settings. */
export function optionalFlag(): Setting<boolean | undefined> {
  return { ...flag(), optional: true };
}

/** One of a fixed set of words. */
export function choice<const Word extends string>(
  words: readonly [Word, ...Word[]],
  options: Options<Word> = {},
): Setting<Word> {
  return {
    expected: `must be one of ${words.join(', ')}`,
    example: options.example ?? options.default ?? words[0],
    default: options.default,
    schema: parsedBy((value) => words.find((word) => word === value)),
  };
}

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

/** URL of an HTTP server, without a trailing slash. */
export function httpUrl(options: Options<string> = {}): Setting<string> {
  return {
    expected: 'must be an http or https address',
    example: options.example ?? options.default ?? 'http://127.0.0.1:4001',
    default: options.default,
    schema: url,
  };
}

/** A list with a separator. */
const listOf = <T>(separator: RegExp, item: z.ZodType<T, string>): z.ZodType<readonly T[], string> =>
  z
    .string()
    .transform((value) => value.split(separator).map((part) => part.trim()))
    .pipe(z.array(item));

/** URLs of replicas, separated by `|` (or commas). */
export function httpUrls(options: Options<readonly string[]> = {}): Setting<readonly string[]> {
  return {
    expected: 'must be an http or https address',
    example: options.example ?? 'http://127.0.0.1:4001',
    default: options.default,
    schema: listOf(/[|,]/, url),
  };
}

/** Names with one or more addresses, separated by `|`: `clinic=http://a:4002|http://b:4002,…`. */
export function namedUrls(example: string): Setting<ReadonlyMap<string, readonly string[]>> {
  const { schema: urls } = httpUrls();
  return {
    expected: 'must be name=address pairs separated by commas, several addresses of one name by |',
    example,
    schema: parsedBy((value) => {
      const named = new Map<string, readonly string[]>();
      for (const pair of value.split(',')) {
        const [, name, addresses] = /^\s*([a-z][a-z0-9-]*)=(.+)$/.exec(pair) ?? [];
        const parsed = addresses === undefined ? undefined : urls.safeParse(addresses).data;
        if (name === undefined || parsed === undefined || named.has(name)) return undefined;
        named.set(name, parsed);
      }
      return named;
    }),
  };
}

/** Whole numbers by name: `orders=40,profile-changes=50`; none by default. */
export function namedNumbers({ example }: { readonly example: string }): Setting<ReadonlyMap<string, number>> {
  return {
    expected: 'must be name=number pairs separated by commas, each number 0 or more',
    example,
    default: new Map(),
    schema: parsedBy((value) => {
      const named = new Map<string, number>();
      for (const pair of value.split(',')) {
        const [, name, number] = /^\s*([a-z][a-z-]*)=(\d{1,9})\s*$/.exec(pair) ?? [];
        if (name === undefined || named.has(name)) return undefined;
        named.set(name, Number(number));
      }
      return named;
    }),
  };
}

/** Web origins, separated by commas. */
export function origins(options: Options<readonly string[]> = {}): Setting<readonly string[]> {
  const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;
  return {
    expected: 'must be web origins separated by commas',
    example: options.example ?? 'https://clinic.example,https://www.clinic.example',
    default: options.default,
    schema: z
      .string()
      .transform((value) => value.replace(/^[\s,]+|[\s,]+$/g, ''))
      .pipe(listOf(/[\s,]*,[\s,]*/, z.string().refine(isOrigin))),
  };
}

/** The code of the clinic's currency, read as its sign; amounts are stored in hundredths. */
export const currency: Setting<string | undefined> = {
  expected: 'must be the code of a currency with two decimals (ISO 4217)',
  example: 'BDT',
  optional: true,
  schema: parsedBy(currencySign),
};

/** Hours of the day in which nobody should be disturbed. */
export const quietHours: Setting<QuietHours> = {
  expected: 'must be two times of day, or none',
  example: '21:00-08:00',
  default: { from: '21:00', until: '08:00' },
  schema: parsedBy((value) => {
    if (value === 'none') return { from: '00:00', until: '00:00' };
    const time = '([01]\\d|2[0-3]):[0-5]\\d';
    if (!new RegExp(`^${time}-${time}$`).test(value)) return undefined;
    return { from: value.slice(0, 5), until: value.slice(6) };
  }),
};

/** A country by its code, e.g. `BD`. */
export function country(options: Options<Country> = {}): Setting<Country> {
  return {
    expected: 'must be the code of a country (ISO 3166-1)',
    example: options.example ?? options.default ?? 'BD',
    default: options.default,
    schema: parsedBy(countryOf),
  };
}

/** An IANA time zone. */
export function timeZone(options: Options<string> = {}): Setting<string> {
  return {
    expected: 'must be the IANA name of a time zone',
    example: options.example ?? options.default ?? 'Asia/Dhaka',
    default: options.default,
    schema: z.string().refine(isTimeZone),
  };
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
