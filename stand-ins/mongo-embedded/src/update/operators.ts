import { compare } from '../bson/comparator.ts';
import { add } from '../bson/numbers.ts';
import { isNumber, typeName } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import { addToSet, pull, push } from './array-operators.ts';
import type { Modifier } from './modifier.ts';

/** An update operator of the profile. */
interface Operator {
  /** Checks the argument and prepares the change. */
  compile(argument: Value, field: string): Modifier;
  /** False for operators that ignore a missing field, and so never fail on an impossible path. */
  creates: boolean;
}

function increment(argument: Value, field: string): Modifier {
  if (!isNumber(argument)) {
    throw new CommandError(14, `Cannot increment with non-numeric argument: {${field}: ${typeName(argument)}}`);
  }
  return (existing) => {
    if (existing === undefined) return argument;
    if (!isNumber(existing)) {
      throw new CommandError(
        14,
        `Cannot apply $inc to a value of non-numeric type. The field '${field}' has non-numeric type ${typeName(existing)}`,
      );
    }
    const sum = add(existing, argument);
    if (sum === undefined)
      throw new CommandError(
        2,
        `Failed to apply $inc operations to current value of '${field}': the sum is no 64-bit integer`,
      );
    return sum;
  };
}

/** Every update operator of the profile, by name; `$unset` is the one that removes. */
export const UPDATE_OPERATORS: Readonly<Record<string, Operator>> = {
  $set: { creates: true, compile: (argument) => () => argument },
  $setOnInsert: { creates: true, compile: (argument) => () => argument },
  $unset: { creates: false, compile: () => () => undefined },
  $inc: { creates: true, compile: increment },
  $min: {
    creates: true,
    compile: (argument) => (existing) =>
      existing === undefined || compare(argument, existing) < 0 ? argument : existing,
  },
  $max: {
    creates: true,
    compile: (argument) => (existing) =>
      existing === undefined || compare(argument, existing) > 0 ? argument : existing,
  },
  $push: { creates: true, compile: push },
  $addToSet: { creates: true, compile: addToSet },
  $pull: { creates: false, compile: pull },
};
