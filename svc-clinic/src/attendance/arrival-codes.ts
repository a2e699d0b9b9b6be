import { randomInt } from 'node:crypto';
import { asciiDigits } from '@clinic/contracts/digits';
import { isDuplicateKey } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';

/** Without letters and digits that look like another. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 4;

type Codes = Pick<ClinicCollections, 'arrivalCodes'>;

const idOf = (date: string, code: string): string => `${date} ${code}`;
const newCode = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** The code of a visit on its day, made when it is first asked for. The unique ids decide when two ask at once. */
export async function arrivalCodeOf(
  { arrivalCodes }: Codes,
  { _id: appointment, date }: { readonly _id: ObjectId; readonly date: string },
): Promise<string> {
  const known = await arrivalCodes.findOne({ appointment, date });
  if (known) return known._id.slice(-length);
  const code = newCode();
  try {
    await arrivalCodes.insertOne({ _id: idOf(date, code), appointment, date });
    return code;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Somebody else has made it, or another visit has this code.
    return arrivalCodeOf({ arrivalCodes }, { _id: appointment, date });
  }
}

/** The appointment with a code on a day, however it was typed. */
export async function appointmentWithCode(
  { arrivalCodes }: Codes,
  date: string,
  typed: string,
): Promise<ObjectId | undefined> {
  const code = asciiDigits(typed)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  const found = await arrivalCodes.findOne({ _id: idOf(date, code) });
  return found?.appointment;
}
